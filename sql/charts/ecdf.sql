-- the share of the queries of each system whose value is at most each of some steps
with

steps as (
    select cast(unnest({{ steps | literal }}) as {{ double }}) as step
)

select
    measured.system,
    steps.step as value,
    avg(case when measured.{{ column | ident }} <= steps.step then 1.0 else 0.0 end) as share
from {{ per_query }} as measured
cross join steps
where measured.{{ column | ident }} is not null
group by measured.system, steps.step
order by measured.system asc, steps.step asc
