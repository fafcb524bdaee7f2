-- what ten random bits stand for in each of 33 replicates
with recursive

{% include "comparison/levels.sql" %}
select
    bits,
{% for number in range(33) %}
    max(case when number = {{ number }} then level end) as level_{{ number }}{% if not loop.last %},{% endif +%}
{% endfor %}
from levels
group by bits
