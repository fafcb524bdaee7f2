{% set own %}{% for segment in segments %}{{ segment | ident }}, {% endfor %}{% endset %}
-- how many queries have items of several raters of which levels{% if segments %}, for every segment{% endif +%}
with

-- one row per item that at least two raters judged, with its levels in their order
items as (
    select
{% for segment in segments %}
        cast({{ segment | ident }} as {{ text }}) as {{ segment | ident }},
{% endfor %}
        query_id,
        list({{ level | ident }} order by {{ level | ident }} asc) as levels
    from {{ judged }}
    group by {% for column in columns %}{{ column | ident }}{% if not loop.last %}, {% endif %}{% endfor %}{% for segment in segments %}, {{ segment | ident }}{% endfor +%}
    having count(*) > 1
),

-- how many items of a query have which levels
patterns as (
    select {{ own }}query_id, levels, count(*) as items
    from items
    group by {{ own }}query_id, levels
),

queries as (
    select
        {{ own }}list(levels order by levels asc) as levels,
        list(items order by levels asc) as items
    from patterns
    group by {{ own }}query_id
)

select {{ own }}levels, items, count(*) as queries
from queries
group by {{ own }}levels, items
order by {{ own }}levels, items
