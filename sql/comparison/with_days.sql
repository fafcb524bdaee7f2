-- per-query rows with the day of each query
select
    measured.*,
    cast(days.day as varchar) as {{ name | ident }}
from {{ per_query }} as measured
left join {{ days }} as days on cast(measured.query_id as varchar) = days.query_id
