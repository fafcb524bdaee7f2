select distinct system
from {{ reader }}
order by system
