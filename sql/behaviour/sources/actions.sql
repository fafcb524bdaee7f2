{# The actions of events, with how many there are, and of how many nobody knows in which impression or of which document. #}
select
    lower(cast(action as varchar)) as action,
    count(*) as events,
    count(*) filter (where impression_id is null or doc_id is null) as without_ids
from {{ events }}
group by all
order by events desc, action
