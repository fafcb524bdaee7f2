{# Whether the propensity of a document depends on its position alone, and differs between positions. #}
select
    count(*) as positions,
    count(*) filter (where lowest = highest) as alike,
    count(distinct lowest) as levels
from (
    select
        position,
        min(propensity) as lowest,
        max(propensity) as highest
    from {{ impressions }}
    group by position
) as of_positions
