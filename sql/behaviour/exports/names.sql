{# How many events of each name there are. #}
select
    lower(cast(event_name as varchar)) as name,
    count(*) as events
from {{ events }}
where event_name is not null
group by all
order by events desc, name
