-- each row of a model beside the one that was worked out by hand: those that differ, or have no counterpart
with found as (
    select system, metric, value, queries from {{ ref('summary') }}
    union all
    select system, metric, value, queries from {{ ref('whole') }}
)

select
    coalesce(found.system, worked.system) as system,
    coalesce(found.metric, worked.metric) as metric,
    found.value,
    worked.value as wanted
from found
full outer join {{ ref('worked') }} as worked
    on found.system = worked.system and found.metric = worked.metric
where
    found.value is null or worked.value is null
    or abs(found.value - worked.value) > 1e-12 or found.queries <> worked.queries
