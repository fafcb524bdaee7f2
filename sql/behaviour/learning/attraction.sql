{# How attractive each document is, of what the last round held for true: a click says that it is; without one it may have
   been, and nobody looked. #}
select
    pair,
    least(told, 1 - 1e-6) as attraction,
    abs(least(told, 1 - 1e-6) - before) as moved
from (
    select
        counted.pair,
        ({{ prior.a | literal }} + sum(clicks + (impressions - clicks) * (1 - propensity) * attraction / (1 - propensity * attraction)))
        / ({{ (prior.a + prior.b) | literal }} + sum(impressions)) as told,
        any_value(attraction) as before
    from {{ counted }} as counted
    inner join {{ attraction }} as attraction on counted.pair = attraction.pair
    inner join {{ examination }} as examination on counted.position = examination.position
    group by counted.pair
)
