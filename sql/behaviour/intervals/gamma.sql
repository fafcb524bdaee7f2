{# The ends of Gamma distributions, each shape computed once. #}
{% if exact %}
select
    estimates.query_id,
    estimates.doc_id,
    estimates.relevance,
    case when estimates.shape_low > 0 then below.low * estimates.scale_low else 0 end as low,
    above.high * estimates.scale_high as high,
    estimates.impressions,
    estimates.clicks
from {{ estimates }} as estimates
left join (
    select
        shape,
        {{ f.quantile_of_gamma | ident }}(shape, {{ -z | literal }}, {{ tail | literal }}) as low
    from (
        select distinct cast(shape_low as double) as shape
        from {{ estimates }}
        where shape_low > 0
    )
) as below on estimates.shape_low = below.shape
left join (
    select
        shape,
        {{ f.quantile_of_gamma | ident }}(shape, {{ z | literal }}, {{ (1 - tail) | literal }}) as high
    from (
        select distinct cast(shape_high as double) as shape
        from {{ estimates }}
    )
) as above on estimates.shape_high = above.shape
{% else %}
{# Wilson and Hilferty's approximation of them: no engine has them. #}
select
    query_id,
    doc_id,
    relevance,
    case
        when shape_low > 0
            then scale_low * shape_low * power(1 - 1 / (9.0 * shape_low) - {{ (z / 3) | literal }} / sqrt(shape_low), 3)
        else 0
    end as low,
    scale_high * shape_high * power(1 - 1 / (9.0 * shape_high) + {{ (z / 3) | literal }} / sqrt(shape_high), 3) as high,
    impressions,
    clicks
from {{ estimates }}
{% endif %}
