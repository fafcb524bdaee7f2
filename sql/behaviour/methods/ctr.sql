{#
title = "click rate"
reads = "cells"
interval = "beta"
assumes = "every position is looked at alike: only logs that shuffle what they show are free of its bias for what stood at the top"
prior = "likelihood"
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
        query_id,
        doc_id,
        impressions,
        clicks,
        -- the rate of the query is no more certain than what was seen of it makes it
        query_rate * strength * (known + strength) / (known + 2 * strength) as prior_a,
        (1 - query_rate) * strength * (known + strength) / (known + 2 * strength) as prior_b
    from (
        select
            query_id,
            doc_id,
            impressions,
            clicks,
            strength,
            sum(impressions * told) over (partition by query_id) as known,
            (sum(clicks * told) over (partition by query_id) + strength * rate)
            / (sum(impressions * told) over (partition by query_id) + strength) as query_rate
        from (
            select
                pairs.query_id,
                pairs.doc_id,
                pairs.impressions,
                pairs.clicks,
                prior.rate,
                prior.strength,
                -- impressions of one document tell less of its query, the more the documents differ
                (prior.strength + 1) / (pairs.impressions + prior.strength) as told
            from (
                select
                    query_id,
                    doc_id,
                    sum(impressions) as impressions,
                    sum(clicks) as clicks
                from {{ cells }}
                group by query_id, doc_id
            ) as pairs
            cross join (
{% if found %}
                select
                    {{ found.rate | literal }} as rate,
                    {{ found.strength | literal }} as strength
{% else %}
                {%+ filter indent | indent | indent | indent %}{% include "behaviour/strength.sql" %}{% endfilter %}

{% endif %}
            ) as prior
        ) as told_pairs
    ) as of_queries
{% endif %}
) as with_prior
