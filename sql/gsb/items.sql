-- how many of the items that several raters judged have so many bad, same and good verdicts{% if segments %}, for every segment{% endif %}

with

-- one row per item that at least two raters judged
items as (
    select
{% for segment in segments %}
        cast({{ segment | ident }} as {{ text }}) as {{ segment | ident }},
{% endfor %}
        count(case when preference < 0 then 1 end) as bad,
        count(case when preference = 0 then 1 end) as same,
        count(case when preference > 0 then 1 end) as good
    from {{ verdicts }}
    group by {% for column in columns %}{{ column | ident }}{% if not loop.last %}, {% endif %}{% endfor %}{% for segment in segments %}, {{ segment | ident }}{% endfor %}

    having count(*) > 1
)

select
{% for segment in segments %}
    {{ segment | ident }},
{% endfor %}
    bad,
    same,
    good,
    count(*) as items
from items
group by {% for segment in segments %}{{ segment | ident }}, {% endfor %}bad, same, good
order by {% for segment in segments %}{{ segment | ident }}, {% endfor %}bad, same, good
