-- how many of the items that several raters judged have which levels{% if segments %}, for every segment{% endif %}

with

-- one row per item that at least two raters judged, with its levels in their order
items as (
    select
{% for segment in segments %}
        cast({{ segment | ident }} as {{ text }}) as {{ segment | ident }},
{% endfor %}
        list({{ level | ident }} order by {{ level | ident }}) as levels
    from {{ judged }}
    group by {% for column in columns %}{{ column | ident }}{% if not loop.last %}, {% endif %}{% endfor %}{% for segment in segments %}, {{ segment | ident }}{% endfor %}

    having count(*) > 1
)

select
{% for segment in segments %}
    {{ segment | ident }},
{% endfor %}
    levels,
    count(*) as items
from items
group by {% for segment in segments %}{{ segment | ident }}, {% endfor %}levels
order by {% for segment in segments %}{{ segment | ident }}, {% endfor %}levels
