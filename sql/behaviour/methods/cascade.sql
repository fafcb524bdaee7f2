{#
title = "cascade"
reads = "sequence"
interval = "beta"
assumes = "people look from the top on and stop at their first click: wrong where they click twice"
#}
select
    query_id,
    doc_id,
    sum(impressions) as impressions,
    sum(clicks) as clicks,
    {{ prior.a | literal }} + sum(first_clicks) as shape_a,
    {{ prior.b | literal }} + sum(to_first) - sum(first_clicks) as shape_b,
    cast({{ prior.a | literal }} + sum(first_clicks) as {{ double }}) / nullif({{ (prior.a + prior.b) | literal }} + sum(to_first), 0) as relevance
from {{ cells }}
group by query_id, doc_id
