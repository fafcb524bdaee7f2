{#
title = "clicks over examinations"
reads = "cells"
interval = "gamma"
assumes = "whether a position is looked at depends on the position alone, as the propensities say"
propensities = true
prior = [0, 0]
#}
{% from "macros/logs.sql" import with_prior %}
select
    query_id,
    doc_id,
    impressions,
    clicks,
    {{ with_prior("clicks", prior.a) }} as shape_low,
    {{ with_prior("clicks", prior.a or 1) }} as shape_high,
    -- clicks are about as many as a Poisson distribution gives (Garwood, 1936)
    1 / nullif({{ with_prior("examinations", prior.b) }}, 0) as scale_low,
    1 / nullif({{ with_prior("examinations", prior.b) }}, 0) as scale_high,
    {{ with_prior("clicks", prior.a) }} / nullif({{ with_prior("examinations", prior.b) }}, 0) as relevance
from (
    select
        of_cells.query_id,
        of_cells.doc_id,
        sum(of_cells.impressions) as impressions,
        sum(of_cells.clicks) as clicks,
        -- where a position has no propensity there is no label
        case when count(propensities.position) = count(*) then sum(of_cells.impressions * propensities.propensity) end as examinations
    from {{ cells }} as of_cells
    left join {{ propensities }} as propensities on of_cells.position = propensities.position
    group by of_cells.query_id, of_cells.doc_id
) as pairs
