{#
title = "attraction times satisfaction in the dynamic Bayesian network"
reads = "sessions"
learns = "network"
interval = "beta"
assumes = "people look from the top on, go on after each document with one probability, and stop once a click satisfied them"
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
    relevance * (relevance * (1 - relevance) / variance - 1) as shape_a,
    (1 - relevance) * (relevance * (1 - relevance) / variance - 1) as shape_b
from (
    select
        numbered.query_id,
        numbered.doc_id,
        learned.impressions,
        learned.clicks,
        learned.attraction * learned.satisfaction as relevance,
        -- of the information of what people did, less what nobody saw of it (Louis, Journal of the Royal Statistical Society B 44, 1982)
        learned.attraction * learned.attraction / (
            ({{ (prior.a + prior.b + 1) | literal }} + learned.clicks) / (learned.satisfaction * (1 - learned.satisfaction))
            - learned.satisfaction_unsure / power(learned.satisfaction * (1 - learned.satisfaction), 2)
        )
        + learned.satisfaction * learned.satisfaction / (
            ({{ (prior.a + prior.b + 1) | literal }} + learned.impressions) / (learned.attraction * (1 - learned.attraction))
            - learned.attraction_unsure / power(learned.attraction * (1 - learned.attraction), 2)
        ) as variance
    from {{ learned }} as learned
    inner join {{ numbered }} as numbered on learned.pair = numbered.pair
) as labels
