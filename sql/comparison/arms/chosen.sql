{# The units of some pairs and segments: those with few units, of which all labels are tried, or the others. #}
-- the units of these pairs and segments: `kept` labels are those of the second side
chosen as (
    select
        pair,
        scope,
        query_id,
        weight_0,
        sum_0,
        weight_1,
        sum_1,
        case when weight_0 > 0 and weight_1 > 0 then 1 else 0 end as is_shared,
        row_number() over (partition by pair, scope order by least(weight_0, weight_1) > 0, query_id) - 1 as place
    from {{ units }}
    where
        pair between {{ pairs.start }} and {{ pairs.stop - 1 }}
        and scope between {{ scopes.start }} and {{ scopes.stop - 1 }}
    qualify count(*) over (partition by pair, scope) {% if exact %}<={% else %}>{% endif %} {{ few }}
),

