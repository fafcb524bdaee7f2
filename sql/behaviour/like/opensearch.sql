{# Clicks over expected clicks as OpenSearch's search relevance workbench gives them: of the smallest place of a pair, in the
   numbers of the log, among those up to `max_rank`, of which the last has no rate; a text of three decimals, halves up. #}
select
    query_id,
    doc_id,
    cast(round(cast(cast(case when expected > 0 then clicks / expected else 0 end as varchar) as decimal(38, 18)), 3) as double) as relevance,
    cast(null as double) as low,
    cast(null as double) as high,
    impressions,
    clicks
from (
    select
        pairs.query_id,
        pairs.doc_id,
        pairs.impressions,
        pairs.clicks,
        coalesce(rates.rate, 0) * pairs.impressions as expected
    from (
        select
            query_id,
            doc_id,
            min(position) as first_place,
            cast(count(*) as double) as impressions,
            cast(sum(clicked) as double) as clicks
        from {{ log }}
        where position <= {{ max_rank }}
        group by query_id, doc_id
    ) as pairs
    left join (
        select
            position,
            sum(clicked) / cast(count(*) as double) as rate
        from {{ log }}
        where position < {{ max_rank }}
        group by position
    ) as rates on pairs.first_place = rates.position
)
