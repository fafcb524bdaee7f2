{% from "macros/days.sql" import day_literal %}
-- how many days each series has for its baseline, and in all
select
{% for name in keys %}
    {{ name | ident }},
{% endfor %}
    {%+ if first %}count(case when day between {{ day_literal(first) }} and {{ day_literal(last) }} then 1 end){% else %}count(*){% endif %} as days,
    min(day) as first_day,
    max(day) as last_day
from {{ daily }}
where value is not null
group by {% for name in keys %}{{ name | ident }}{% if not loop.last %}, {% endif %}{% endfor +%}
order by {% for name in keys %}{{ name | ident }}{% if not loop.last %}, {% endif %}{% endfor +%}
