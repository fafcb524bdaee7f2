{% from "macros/days.sql" import day_literal %}
{% set between %}{% if first %}case when day between {{ day_literal(first) }} and {{ day_literal(last) }} then 1 end{% else %}1{% endif %}{% endset %}
-- the daily values of the series whose baseline is long enough
select *
from {{ daily }}
where value is not null
qualify count({{ between }}) over (partition by {% for name in keys %}{{ name | ident }}{% if not loop.last %}, {% endif %}{% endfor %}) >= {{ fewest }}
