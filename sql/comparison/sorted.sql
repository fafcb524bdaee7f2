-- the differences of the queries from the largest gain to the largest loss, as the means of equal parts of them
with

{% set more = true %}
{% include "comparison/differences.sql" %}
placed as (
    select
        pair,
        difference,
        ntile({{ most }}) over (partition by pair order by difference desc) as part
    from differences
),

parts as (
    select
        pair,
        part,
        avg(difference) as difference,
        count(*) as queries
    from placed
    group by pair, part
)

select
    pair,
    part,
    difference,
    coalesce(sum(queries) over (partition by pair order by part asc rows between unbounded preceding and 1 preceding), 0)
        / sum(queries) over (partition by pair) as share_before,
    sum(queries) over (partition by pair order by part asc rows between unbounded preceding and current row)
        / sum(queries) over (partition by pair) as share_up_to
from parts
order by pair asc, part asc
