{# The values that every system gets where the systems of a query change places; `values` has, by metric, the columns of the systems, and `weights` the column of its weights or none. #}
-- the sums that every system gets when the systems of each query move on along a circle, by how far they move; where
-- there are very many queries, those of a bundle move together
with

-- whole numbers, whose sums in floating point are exact in any order; a query without a value for every system counts
-- for none
whole as (
{% for system in systems %}
{% set number = loop.index0 %}
    select
        query_id,
        {%+ if cluster %}cluster{% else %}query_id{% endif %} as unit,
        {%+ if total %}0 as {% endif %}scope,
        {{ number }} as system,
{% for columns in values %}
{% set weight = weights[loop.index0] %}
{% set known -%}
{%+ for column in columns %}{{ column | ident }} is not null{% if not loop.last %} and {% endif %}{% endfor %}
{%- endset %}
        case when {{ known }} then {% if weight %}coalesce({{ weight | ident }}, 0){% else %}1.0{% endif %} else 0 end as weight_{{ loop.index }},
        case when {{ known }} then floor({% if weight %}coalesce({{ weight | ident }}, 0) * {% endif %}{{ columns[number] | ident }} * {{ scales[loop.index0] | literal }} + 0.5) else 0 end as value_{{ loop.index }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from {{ paired }}
{% if not loop.last %}

    union all

{% endif %}
{% endfor %}
),

-- the circle of each query{% if cluster %}, the same for all of a cluster{% endif %}: its systems in an order drawn by hashing
placed as (
    select
        *,
        row_number() over (partition by query_id order by md5({{ seed | literal }} || ':' || unit || ':' || system), system) - 1 as place,
        count(*) over (partition by scope) / {{ systems | length }} as queries
    from whole
),

bundled as (
    select
        *,
        case when queries > {{ bundles }} then cast(md5_number(unit) % {{ bundles }} as {{ text }}) else unit end as bundle
    from placed
),

moved as (
    select
        held.scope as scope,
        held.bundle as query_id,
        distances.number as distance,
        sum(case when held.system = 0 then 1 else 0 end) as queries,
{% for columns in values %}
{% set metric = loop.index %}
        sum(case when held.system = 0 then held.weight_{{ metric }} else 0 end) as weight_{{ metric }},
{% for column in columns %}
        sum(case when held.system = {{ loop.index0 }} then taken.value_{{ metric }} else 0 end) as value_{{ loop.index0 }}_{{ metric }}{% if not (loop.last and metric == measures | length) %},{% endif +%}
{% endfor %}
{% endfor %}
    from bundled as held
    cross join {{ numbers }} as distances
    inner join bundled as taken
        on
            held.query_id = taken.query_id
            and taken.place = (held.place + distances.number) % {{ systems | length }}
    where distances.number < {{ systems | length }}
    group by held.scope, held.bundle, distances.number
)

select
    *,
    dense_rank() over (order by scope asc, query_id asc) as circle
from moved
