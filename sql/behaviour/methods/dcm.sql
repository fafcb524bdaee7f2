{#
title = "attraction in the dependent click model"
reads = "sequence"
interval = "beta"
assumes = "people look from the top on to their last click and at nothing below it; what they find there says nothing about the document"
#}
select
    query_id,
    doc_id,
    sum(impressions) as impressions,
    sum(clicks) as clicks,
    {{ prior.a | literal }} + sum(clicks) as shape_a,
    {{ prior.b | literal }} + sum(examined) - sum(clicks) as shape_b,
    cast({{ prior.a | literal }} + sum(clicks) as {{ double }}) / nullif({{ (prior.a + prior.b) | literal }} + sum(examined), 0) as relevance
from {{ cells }}
group by query_id, doc_id
