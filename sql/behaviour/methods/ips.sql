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
    -- a sum of Poisson numbers, each with its weight (Tiwari, Clegg and Zou, Statistical Methods in Medical Research 15, 2006)
    case when clicks > 0 then weighted * weighted / squares else 0 end as shape_low,
    (weighted + usual) * (weighted + usual) / (squares + usual_square) as shape_high,
    case when clicks > 0 then squares / weighted / impressions else 0 end as scale_low,
    (squares + usual_square) / (weighted + usual) / impressions as scale_high
from (
    select
        of_cells.query_id,
        of_cells.doc_id,
        cast(sum(of_cells.impressions) as {{ double }}) as impressions,
        sum(of_cells.clicks) as clicks,
        -- where a position has no propensity there is no label
        case when count(propensities.position) = count(*) then sum(of_cells.clicks / propensities.clipped) end as weighted,
        sum(of_cells.clicks / (propensities.clipped * propensities.clipped)) as squares,
        sum(of_cells.impressions / propensities.clipped) / sum(of_cells.impressions) as usual,
        sum(of_cells.impressions / (propensities.clipped * propensities.clipped)) / sum(of_cells.impressions) as usual_square
    from {{ cells }} as of_cells
    left join (
        select
            position,
            -- a click is worth {{ clip | literal }} at most
            case when propensity < {{ (1 / clip) | literal }} then {{ (1 / clip) | literal }} else propensity end as clipped
        from {{ propensities }}
    ) as propensities on of_cells.position = propensities.position
    group by of_cells.query_id, of_cells.doc_id
) as pairs
