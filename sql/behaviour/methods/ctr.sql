{#
title = "click rate"
reads = "cells"
interval = "beta"
assumes = "every position is looked at alike: only logs that shuffle what they show are free of its bias for what stood at the top"
prior = "moments"
#}
select
    query_id,
    doc_id,
    impressions,
    clicks,
    prior_a + clicks as shape_a,
    prior_b + impressions - clicks as shape_b,
    cast(prior_a + clicks as {{ double }}) / (prior_a + prior_b + impressions) as relevance
from (
{% if prior %}
    select
        query_id,
        doc_id,
        sum(impressions) as impressions,
        sum(clicks) as clicks,
        {{ prior.a | literal }} as prior_a,
        {{ prior.b | literal }} as prior_b
    from {{ cells }}
    group by query_id, doc_id
{% else %}
    select
        pairs.query_id,
        pairs.doc_id,
        pairs.impressions,
        pairs.clicks,
        -- the rate of a query without clicks is not 0: one impression of the rate of all is added
        strength * (query_clicks + rate) / (query_impressions + 1) as prior_a,
        strength * (1 - (query_clicks + rate) / (query_impressions + 1)) as prior_b
    from (
        select
            query_id,
            doc_id,
            sum(impressions) as impressions,
            sum(clicks) as clicks,
            sum(sum(clicks)) over (partition by query_id) as query_clicks,
            sum(sum(impressions)) over (partition by query_id) as query_impressions
        from {{ cells }}
        group by query_id, doc_id
    ) as pairs
    cross join (
        -- how much the rates of pairs differ beyond chance says how many impressions the rate of their query is worth
        select
            rate,
            case
                when spread <= rate * (1 - rate) / {{ 1e6 | literal }} then {{ 1e6 | literal }}
                else rate * (1 - rate) / nullif(spread, 0) - 1
            end as strength
        from (
            select
                rate,
                (variance - rate * (1 - rate) * reciprocal) / nullif(1 - reciprocal, 0) as spread
            from (
                select
                    avg(clicks / impressions) as rate,
                    avg(clicks / impressions * clicks / impressions) - avg(clicks / impressions) * avg(clicks / impressions) as variance,
                    avg(1 / impressions) as reciprocal
                from (
                    select
                        cast(sum(impressions) as {{ double }}) as impressions,
                        cast(sum(clicks) as {{ double }}) as clicks
                    from {{ cells }}
                    group by query_id, doc_id
                ) as of_pairs
            ) as moments
        ) as estimated
    ) as prior
{% endif %}
) as with_prior
