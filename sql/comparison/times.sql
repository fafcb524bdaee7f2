-- how often a query that draws ten bits stands in those of 33 replicates in which it does; by level the times are those of
-- Poisson's distribution in 32nds, of mean 1 and variance 1
with recursive

{% include "comparison/levels.sql" %}
select
    bits,
    number,
    case
        when level < 23 then 1
        when level < 30 then 2
        when level < 31 then 3
        else 4
    end as times
from levels
where level >= 12
