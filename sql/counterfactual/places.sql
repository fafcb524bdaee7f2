{# The places of each candidate in the impressions of the log: which document it shows there, with which probability, and how
   many impressions reach the place, and what such a place earns{% if organic %}; the first is that of the first position that is no ad{% endif %}. A place of a query without an answer has no document. #}
with
answered as (
    select distinct
        system,
        query_id
    from {{ entries }}
)

select
    systems.system,
    reached.query_id,
    reached.position,
    reached.traffic,
    reached.level,
    reached.most,
    documents.doc_id,
    answered.query_id is not null as answered,
    case
        when answered.query_id is null then 1.0
        else coalesce(entries.share, 0)
    end as share
from {{ reached }} as reached
cross join (select distinct system from {{ entries }}) as systems
left join answered on systems.system = answered.system and reached.query_text = answered.query_id
left join {{ entries }} as entries
    on systems.system = entries.system and reached.query_text = entries.query_id and reached.{% if organic %}place{% else %}position{% endif %} = entries.position
left join {{ documents }} as documents
    on reached.query_text = documents.query_text and entries.doc_id = documents.doc_text
