select *
from {{ by_position }}
order by position asc
