{#
title = "clicks over examinations"
reads = "cells"
interval = "gamma"
assumes = "whether a position is looked at depends on the position alone, as the propensities say"
propensities = true
prior = [0, 0]
#}
select
    query_id,
    doc_id,
    impressions,
    clicks,
    (clicks + {{ prior.a | literal }}) / (examinations + {{ prior.b | literal }}) as relevance,
    -- clicks are about as many as a Poisson distribution gives (Garwood, 1936)
    clicks + {{ prior.a | literal }} as shape_low,
    clicks + {{ (prior.a or 1) | literal }} as shape_high,
    1 / (examinations + {{ prior.b | literal }}) as scale_low,
    1 / (examinations + {{ prior.b | literal }}) as scale_high
from (
    select
        of_cells.query_id,
        of_cells.doc_id,
        sum(of_cells.impressions) as impressions,
        sum(of_cells.clicks) as clicks,
        sum(of_cells.impressions * propensities.propensity) as examinations
    from {{ cells }} as of_cells
    inner join {{ propensities }} as propensities on of_cells.position = propensities.position
    group by of_cells.query_id, of_cells.doc_id
) as pairs
