-- what ten random bits stand for in each of 33 replicates
with recursive

{% include "comparison/levels.sql" %}
select
    bits,
    number,
    level
from levels
