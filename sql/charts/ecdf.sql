-- the share of the queries of each system whose value is at most each of some steps
with

measured as (
    select
        system,
        {{ column | ident }} as value
    from {{ per_query }}
    where {{ column | ident }} is not null
),

steps as (
    select cast(unnest({{ steps | literal }}) as {{ double }}) as step
)

select
    measured.system,
    steps.step as value,
    avg(case when measured.value <= steps.step then 1.0 else 0.0 end) as share
from measured
cross join steps
group by measured.system, steps.step
order by measured.system, steps.step
