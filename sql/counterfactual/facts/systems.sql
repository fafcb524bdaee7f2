select
    system,
    count(*) as entries
from {{ entries }}
group by system
order by system asc
