select cast(system as varchar) as system
from {{ log }}
where system is not null
group by all
order by all
limit 2
