{#
title = "attraction in the position-based model"
reads = "cells"
learns = "positions"
interval = "beta"
assumes = "whether a position is looked at depends on the position alone; several rankers or shuffles have to show documents at several positions"
citation = "Richardson, Dominowska and Ragno, Predicting clicks, WWW 2007; Craswell et al., WSDM 2008"
doi = "10.1145/1341531.1341545"
#}
select
    query_id,
    doc_id,
    impressions,
    clicks,
    relevance,
    -- the Beta distribution of the same mean and variance
    relevance * (relevance * (1 - relevance) / variance - 1) as shape_a,
    (1 - relevance) * (relevance * (1 - relevance) / variance - 1) as shape_b
from (
    select
        pairs.query_id,
        pairs.doc_id,
        pairs.impressions,
        pairs.clicks,
        -- only the product of attraction and examination is known: both are told at the first position
        learned.attraction * first_place.propensity as relevance,
        first_place.propensity * first_place.propensity / (
            pairs.information
            + {{ prior.a | literal }} / (learned.attraction * learned.attraction)
            + {{ prior.b | literal }} / ((1 - learned.attraction) * (1 - learned.attraction))
        ) as variance
    from (
        select
            numbered.query_id,
            numbered.doc_id,
            numbered.pair,
            sum(counted.impressions) as impressions,
            sum(counted.clicks) as clicks,
            sum(counted.impressions * examination.propensity / (attraction.attraction * (1 - attraction.attraction * examination.propensity))) as information
        from {{ numbered }} as numbered
        inner join {{ counted }} as counted on numbered.pair = counted.pair
        inner join {{ attraction }} as attraction on numbered.pair = attraction.pair
        inner join {{ examination }} as examination on counted.position = examination.position
        group by numbered.query_id, numbered.doc_id, numbered.pair
    ) as pairs
    inner join {{ attraction }} as learned on pairs.pair = learned.pair
    cross join (
        select propensity
        from {{ examination }}
        order by position
        limit 1
    ) as first_place
) as labels
