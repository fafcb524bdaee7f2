{# The discounts of the ranks of the candidates, each with what the log has of the document there: its clicks over the
   propensities of their positions, for each impression that shows it. A rank counts whether or not lists are so long; of a
   query without an answer there is no document. A document of which the log says too little gains at most what the best one of
   its query does, and a query without an answer as much at each of its places. #}
with
answered as (
    select distinct
        system,
        query_id
    from {{ entries }}
),

best as (
    select
        query_id,
        max(corrected / impressions) as gain
    from {{ documents }}
    where impressions >= {{ fewest }}
    group by query_id
),

whole as (
    select
        query_id,
        sum(ln(2.0) / ln(place + 1.0)) as discount
    from {{ reached }}
    where place <= {{ cutoff }}
    group by query_id
)

select
    systems.system,
    anchors.query_id,
    anchors.position,
    coalesce(entries.position, 1) as place,
    documents.doc_id,
    anchors.traffic,
    case when answered.query_id is null then 1.0 else coalesce(entries.share, 0) end as share,
    coalesce(best.gain, {{ top | literal }})
    * case when answered.query_id is null then whole.discount else ln(2.0) / ln(coalesce(entries.position, 1) + 1.0) end as most,
    answered.query_id is not null as answered,
    coalesce(documents.impressions, 0) as impressions,
    coalesce(documents.impressions >= {{ fewest }}, false) as supported,
    ln(2.0) / ln(coalesce(entries.position, 1) + 1.0) as discount,
    ln(2.0) / ln(coalesce(entries.position, 1) + 1.0) * documents.corrected / documents.impressions as rate,
    ln(2.0) / ln(coalesce(entries.position, 1) + 1.0) * anchors.traffic / documents.impressions as factor,
    documents.corrected / documents.impressions as base
from {{ anchors }} as anchors
cross join (select distinct system from {{ entries }}) as systems
left join best on anchors.query_id = best.query_id
left join whole on anchors.query_id = whole.query_id
left join answered on systems.system = answered.system and anchors.query_text = answered.query_id
left join {{ entries }} as entries
    on systems.system = entries.system and anchors.query_text = entries.query_id and entries.position <= {{ cutoff }}
left join {{ documents }} as documents
    on anchors.query_text = documents.query_text and entries.doc_id = documents.doc_text
