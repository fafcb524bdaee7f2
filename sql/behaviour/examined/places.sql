select
    position,
    cast(sum(impressions) as bigint) as impressions,
    cast(sum(clicks) as bigint) as clicks
from {{ cells }}
group by position
order by position asc
