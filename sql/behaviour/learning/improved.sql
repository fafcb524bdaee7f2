{# How attractive each document is, or how likely each position is looked at, of what the last round held for true: a click
   says both; without one, the one may have been so and the other not. #}
select
    {{ key | ident }},
    least(told, 1 - 1e-6) as {{ learned | ident }},
    abs(least(told, 1 - 1e-6) - before) as moved
from (
    select
        counted.{{ key | ident }},
        ({{ prior.a | literal }} + sum(clicks + (impressions - clicks) * (1 - {{ beside | ident }}) * {{ learned | ident }} / (1 - propensity * attraction)))
        / ({{ (prior.a + prior.b) | literal }} + sum(impressions)) as told,
        any_value({{ learned | ident }}) as before
    from {{ counted }} as counted
    inner join {{ attraction }} as attraction on counted.pair = attraction.pair
    inner join {{ examination }} as examination on counted.position = examination.position
    group by counted.{{ key | ident }}
)
