{#
title = "attraction times satisfaction in the simplified dynamic Bayesian network"
reads = "sequence"
interval = "beta"
assumes = "people look from the top on to their last click, at nothing below it, and stop because that one satisfied them: documents at the bottom are taken for better than they are"
citation = "Chapelle and Zhang, A dynamic Bayesian network click model for web search ranking, WWW 2009"
doi = "10.1145/1526709.1526711"
#}
select
    query_id,
    doc_id,
    impressions,
    clicks,
    relevance,
    -- the Beta distribution of the same mean and variance
    relevance * (relevance * (1 - relevance) / nullif(variance, 0) - 1) as shape_a,
    (1 - relevance) * (relevance * (1 - relevance) / nullif(variance, 0) - 1) as shape_b
from (
    select
        query_id,
        doc_id,
        impressions,
        clicks,
        attraction * satisfaction as relevance,
        attraction * attraction * satisfaction * (1 - satisfaction) / ({{ (prior.a + prior.b + 1) | literal }} + clicks)
        + satisfaction * satisfaction * attraction * (1 - attraction) / ({{ (prior.a + prior.b + 1) | literal }} + examined) as variance
    from (
        select
            query_id,
            doc_id,
            sum(impressions) as impressions,
            sum(clicks) as clicks,
            sum(examined) as examined,
            cast({{ prior.a | literal }} + sum(clicks) as {{ double }}) / nullif({{ (prior.a + prior.b) | literal }} + sum(examined), 0) as attraction,
            cast({{ prior.a | literal }} + sum(last_clicks) as {{ double }}) / nullif({{ (prior.a + prior.b) | literal }} + sum(clicks), 0) as satisfaction
        from {{ cells }}
        group by query_id, doc_id
    ) as pairs
) as labels
