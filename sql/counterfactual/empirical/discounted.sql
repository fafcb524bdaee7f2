{# The discounts of the ranks of the candidates, each with what the log has of the document there. A rank counts whether or not
   the log shows so many documents; one of a query without an answer has no document. #}
with
queries as (
    select
        query_id,
        query_text,
        max(traffic) as traffic,
        max(most) as most
    from {{ reached }}
    group by query_id, query_text
),

answered as (
    select distinct
        system,
        query_id
    from {{ entries }}
)

select
    systems.system,
    queries.query_id,
    coalesce(entries.position, 1) as position,
    documents.doc_id,
    queries.traffic,
    case when answered.query_id is null then 1.0 else coalesce(entries.share, 0) end as share,
    queries.most,
    answered.query_id is not null as answered,
    coalesce(documents.impressions, 0) as impressions,
    coalesce(documents.impressions >= {{ fewest }}, false) as supported,
    ln(2.0) / ln(coalesce(entries.position, 1) + 1.0) * documents.corrected / queries.traffic as rate,
    ln(2.0) / ln(coalesce(entries.position, 1) + 1.0) as factor,
    0.0 as base
from queries
cross join (select distinct system from {{ entries }}) as systems
left join answered on systems.system = answered.system and queries.query_text = answered.query_id
left join {{ entries }} as entries
    on systems.system = entries.system and queries.query_text = entries.query_id and entries.position <= {{ cutoff }}
left join {{ documents }} as documents
    on queries.query_text = documents.query_text and entries.doc_id = documents.doc_text
