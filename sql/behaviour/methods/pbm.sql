{#
title = "attraction in the position-based model"
reads = "cells"
learns = "positions"
interval = "beta"
assumes = "whether a position is looked at depends on the position alone; several rankers or shuffles have to show documents at several positions"
citation = "Richardson, Dominowska and Ragno, Predicting clicks, WWW 2007; Craswell et al., WSDM 2008"
doi = "10.1145/1341531.1341545"
#}
with
-- only the product of attraction and examination is known: both are told at the first position
first_place as (
    select first(propensity order by position asc) as first_one
    from {{ examination }}
),

told as (
    select
        counted.pair,
        counted.position,
        counted.impressions,
        counted.clicks,
        attraction * first_one as attraction,
        counted.impressions / (1 - attraction * propensity) as mixed,
        counted.impressions * propensity / first_one / (attraction * first_one * (1 - attraction * propensity)) as information,
        ({{ prior.a | literal }} / (attraction * attraction) + {{ prior.b | literal }} / ((1 - attraction) * (1 - attraction))) / (first_one * first_one) as known_before
    from {{ counted }} as counted
    inner join {{ attraction }} as attractions on counted.pair = attractions.pair
    inner join {{ examination }} as examinations on counted.position = examinations.position
    cross join first_place
),

pairs as (
    select
        pair,
        sum(impressions) as impressions,
        sum(clicks) as clicks,
        any_value(attraction) as relevance,
        sum(information) + any_value(known_before) as information
    from told
    group by pair
),

{% if covariance %}
-- how far a label moves with the propensities
moved as (
    select
        here.pair,
        sum(here.mixed * there.mixed * covariance.variance) as moved
    from told as here
    inner join told as there on here.pair = there.pair
    inner join {{ covariance }} as covariance
        on here.position = covariance.position
        and there.position = covariance.other
    group by here.pair
),

{% endif %}
labels as (
    select
        pairs.pair,
        pairs.impressions,
        pairs.clicks,
        pairs.relevance,
        1 / pairs.information{% if covariance %} + coalesce(moved.moved, 0) / (pairs.information * pairs.information){% endif %} as variance
    from pairs
{% if covariance %}
    left join moved on pairs.pair = moved.pair
{% endif %}
)

select
    numbered.query_id,
    numbered.doc_id,
    labels.impressions,
    labels.clicks,
    labels.relevance,
    -- the Beta distribution of the same mean and variance
    relevance * greatest(relevance * (1 - relevance) / variance - 1, 1e-3) as shape_a,
    (1 - relevance) * greatest(relevance * (1 - relevance) / variance - 1, 1e-3) as shape_b
from labels
inner join {{ numbered }} as numbered on labels.pair = numbered.pair
