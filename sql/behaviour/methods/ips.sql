{#
title = "clicks weighted by inverse propensity"
reads = "cells"
interval = "gamma"
assumes = "whether a position is looked at depends on the position alone, as the propensities say; a label may exceed 1"
propensities = true
prior = "none"
citation = "Joachims, Swaminathan and Schnabel, Unbiased learning-to-rank with biased feedback, WSDM 2017"
doi = "10.1145/3018661.3018699"
#}
select
    query_id,
    doc_id,
    impressions,
    clicks,
    weighted / impressions as relevance,
    -- a sum of Poisson numbers, each with its weight (Fay and Feuer, Statistics in Medicine 16, 1997)
    case when clicks > 0 then weighted * weighted / squares else 0 end as shape_low,
    (weighted + largest) * (weighted + largest) / (squares + largest * largest) as shape_high,
    case when clicks > 0 then squares / weighted / impressions else 0 end as scale_low,
    (squares + largest * largest) / (weighted + largest) / impressions as scale_high
from (
    select
        of_cells.query_id,
        of_cells.doc_id,
        cast(sum(of_cells.impressions) as {{ double }}) as impressions,
        sum(of_cells.clicks) as clicks,
        sum(of_cells.clicks / propensities.clipped) as weighted,
        sum(of_cells.clicks / (propensities.clipped * propensities.clipped)) as squares,
        max(1 / propensities.clipped) as largest
    from {{ cells }} as of_cells
    inner join (
        select
            position,
            -- a click is worth {{ clip | literal }} at most
            case when propensity < {{ (1 / clip) | literal }} then {{ (1 / clip) | literal }} else propensity end as clipped
        from {{ propensities }}
    ) as propensities on of_cells.position = propensities.position
    group by of_cells.query_id, of_cells.doc_id
) as pairs
