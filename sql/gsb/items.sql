-- for every segment and in total: the items that several raters judged, and how many of them they judged differently
with

-- one row per item that at least two raters judged
items as (
    select
{% for segment in segments %}
        cast({{ segment | ident }} as {{ text }}) as {{ segment | ident }},
{% endfor %}
        case when min(preference) < max(preference) then 1 else 0 end as conflicting
    from {{ verdicts }}
    group by {% for column in columns %}{{ column | ident }}{% if not loop.last %}, {% endif %}{% endfor %}{% for segment in segments %}, {{ segment | ident }}{% endfor %}

    having count(*) > 1
)

{% if segments %}
select
{% for segment in segments %}
    {{ segment | ident }},
{% endfor %}
    false as is_total,
    count(*) as items,
    sum(conflicting) as conflicting
from items
group by {% for segment in segments %}{{ segment | ident }}{% if not loop.last %}, {% endif %}{% endfor %}


union all

{% endif %}
select
{% for segment in segments %}
    null as {{ segment | ident }},
{% endfor %}
    true as is_total,
    count(*) as items,
    coalesce(sum(conflicting), 0) as conflicting
from items
