-- how many queries have items of several raters of which levels{% if segments %}, for every segment{% endif +%}
with

-- one row per item that at least two raters judged, with its levels in their order
items as (
    select
{% for segment in segments %}
        cast({{ segment | ident }} as {{ text }}) as {{ segment | ident }},
{% endfor %}
        query_id,
        list({{ level | ident }} order by {{ level | ident }}) as levels
    from {{ judged }}
    group by {% for column in columns %}{{ column | ident }}{% if not loop.last %}, {% endif %}{% endfor %}{% for segment in segments %}, {{ segment | ident }}{% endfor +%}
    having count(*) > 1
),

-- how many items of a query have which levels
patterns as (
    select
{% for segment in segments %}
        {{ segment | ident }},
{% endfor %}
        query_id,
        levels,
        count(*) as items
    from items
    group by {% for segment in segments %}{{ segment | ident }}, {% endfor %}query_id, levels
),

queries as (
    select
{% for segment in segments %}
        {{ segment | ident }},
{% endfor %}
        list(levels order by levels) as levels,
        list(items order by levels) as items
    from patterns
    group by {% for segment in segments %}{{ segment | ident }}, {% endfor %}query_id
)

select
{% for segment in segments %}
    {{ segment | ident }},
{% endfor %}
    levels,
    items,
    count(*) as queries
from queries
group by {% for segment in segments %}{{ segment | ident }}, {% endfor %}levels, items
order by {% for segment in segments %}{{ segment | ident }}, {% endfor %}levels, items
