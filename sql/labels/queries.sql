-- the queries that count, by number
select
    query_id,
    row_number() over (order by query_id asc) - 1 as number
from {{ per_query }}
group by query_id
