select distinct queries
from {{ summary }}
where stderr is not null
order by queries
