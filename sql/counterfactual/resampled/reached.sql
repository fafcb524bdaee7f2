{# Each position of each query in each replicate. #}
select
    replicate,
    query_id,
    position,
    sum(impressions) as traffic,
    sum(rewards) as rewards
from {{ cells }}
group by all
