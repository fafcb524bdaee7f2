-- how many queries there are
select count(distinct query_id) as queries
from {{ per_query }}
