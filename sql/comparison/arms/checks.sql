-- how many queries each system has, has twice on one day, or has without a cluster, with an example
with

queries as (
    select
        system,
        query_id,
        day,
        count(*) as often,
        max(case when unit is null then 1 else 0 end) as is_loose
    from {{ arms }}
    group by system, query_id, day
)

select
    system,
    count(*) as queries,
    sum(case when often > 1 then 1 else 0 end) as repeated,
    min(case when often > 1 then query_id end) as repeated_query,
    sum(is_loose) as loose,
    min(case when is_loose = 1 then query_id end) as loose_query
from queries
group by system
