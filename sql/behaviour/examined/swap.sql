{# Clicks at the first position and at each that was exchanged with it by a coin, of the impressions in which it was tossed. #}
select
    exchanged as position,
    cast(count(*) filter (where shown.position = 1) as bigint) as first_impressions,
    cast(coalesce(sum(clicked) filter (where shown.position = 1), 0) as bigint) as first_clicks,
    cast(count(*) filter (where shown.position = exchanged) as bigint) as impressions,
    cast(coalesce(sum(clicked) filter (where shown.position = exchanged), 0) as bigint) as clicks
from (
    select
        cast(cast(swap as double) as bigint) as exchanged,
        position,
        clicked
    from {{ impressions }}
    where cast(swap as double) > 1
) as shown
group by exchanged
order by exchanged asc
