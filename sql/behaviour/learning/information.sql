{# What the log says of each two positions once the attraction of every document is estimated too: the expected information
   (B. Efron and D. Hinkley, Biometrika 65, 1978), of propensities whose first one is 1. #}
with
of_cells as (
    select
        counted.pair,
        counted.position,
        counted.impressions / (1 - attraction * propensity) as mixed,
        counted.impressions * propensity / ((attraction * first_one) * (1 - attraction * propensity)) / first_one as of_attraction,
        counted.impressions * (attraction * first_one) / (propensity / first_one * (1 - attraction * propensity)) as of_propensity
    from {{ counted }} as counted
    inner join {{ attraction }} as attractions on counted.pair = attractions.pair
    inner join {{ examination }} as examinations on counted.position = examinations.position
    cross join (select first(propensity order by position asc) as first_one from {{ examination }}) as scale
    where attraction > 0
),

of_pairs as (
    select
        pair,
        sum(of_attraction) as of_attraction
    from of_cells
    group by pair
)

select
    here.position,
    there.position as other,
    sum(case when here.position = there.position then here.of_propensity else 0 end - here.mixed * there.mixed / of_pairs.of_attraction) as information
from of_cells as here
inner join of_cells as there on here.pair = there.pair
inner join of_pairs on here.pair = of_pairs.pair
group by here.position, there.position
order by here.position asc, there.position asc
