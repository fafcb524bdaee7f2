{# What a store holds: for each day and system, how many rows, and how many queries. #}
select
    cast(as_of as varchar) as day,
    system,
    count(*) as queries,
    count(distinct query_id) as different
from {{ reader }}
group by
    as_of,
    system
order by
    as_of,
    system
