{#
title = "clicks over expected clicks"
reads = "cells"
interval = "gamma"
assumes = "the click rate of a position is that of looking at it: where the ranker is good it holds good documents against themselves, and orders worse than the plain click rate"
prior = [0, 0]
citation = "Zhang and Jones, Comparing click logs and editorial labels for training query rewriting, 2007"
#}
{% from "macros/logs.sql" import with_prior %}
select
    query_id,
    doc_id,
    impressions,
    clicks,
    {{ with_prior("clicks", prior.a) }} as shape_low,
    {{ with_prior("clicks", prior.a or 1) }} as shape_high,
    1 / nullif({{ with_prior("expected", prior.b) }}, 0) as scale_low,
    1 / nullif({{ with_prior("expected", prior.b) }}, 0) as scale_high,
    {{ with_prior("clicks", prior.a) }} / nullif({{ with_prior("expected", prior.b) }}, 0) as relevance
from (
    select
        of_cells.query_id,
        of_cells.doc_id,
        sum(of_cells.impressions) as impressions,
        sum(of_cells.clicks) as clicks,
        sum(of_cells.impressions * rates.rate) as expected
    from {{ cells }} as of_cells
    inner join (
        select
            position,
            cast(sum(clicks) as {{ double }}) / sum(impressions) as rate
        from {{ cells }}
        group by position
    ) as rates on of_cells.position = rates.position
    group by of_cells.query_id, of_cells.doc_id
) as pairs
-- where nothing is expected nothing can be said
where expected > 0
