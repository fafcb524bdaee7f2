{# How likely each position is looked at, likewise: a click says that it was; without one it may have been, and the document
   did not attract. #}
select
    position,
    least(told, 1 - 1e-6) as propensity,
    abs(least(told, 1 - 1e-6) - before) as moved
from (
    select
        counted.position,
        ({{ prior.a | literal }} + sum(clicks + (impressions - clicks) * (1 - attraction) * propensity / (1 - propensity * attraction)))
        / ({{ (prior.a + prior.b) | literal }} + sum(impressions)) as told,
        any_value(propensity) as before
    from {{ counted }} as counted
    inner join {{ attraction }} as attraction on counted.pair = attraction.pair
    inner join {{ examination }} as examination on counted.position = examination.position
    group by counted.position
)
