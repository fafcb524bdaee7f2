{% from "macros/keys.sql" import keys_of with context %}
{# Filtered after the join: of a filter before it DuckDB supposes that it leaves a fifth, and may hash the larger side. #}
-- the documents found that were judged{% if positive_only %} relevant{% endif +%}
create temp table {{ names.hits | ident }} as
with

{% if documents == "run_rows" or (pooled and labelled) %}
{% include "steps/run.sql" %}
{% endif %}
{% if pooled or not labelled %}
{% include judged_step %}
hits as materialized (
    select
        {{ keys_of("documents") }},
        documents.doc_id,
        documents.score,
        judged.relevance
    from {{ documents }} as documents
    inner join judged
        on documents.query_id = judged.query_id and documents.doc_id = judged.doc_id
)

{% else %}
hits as (
    select *
    from {{ documents }}
)

{% endif %}
select
    {{ keys }},
    doc_id,
    score,
    relevance
from hits
where relevance {% if positive_only %}> 0{% else %}is not null{% endif +%}
