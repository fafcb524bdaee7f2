-- the documents found that were judged{% if positive_only %} relevant{% endif %}

create temp table {{ names.hits | ident }} as
with

{% if documents == "run_rows" or (pooled and labelled) %}
{% include "steps/run.sql" %}
{% endif %}
{% if pooled or not labelled %}
{% include "steps/qrels.sql" %}
{% endif %}
hits as (
    select
{% if several %}
        documents.system,
{% endif %}
        documents.query_id,
        documents.doc_id,
        documents.score,
        {%+ if pooled or not labelled %}qrels_rows{% else %}documents{% endif %}.relevance
    from {{ documents }} as documents
{% if pooled or not labelled %}
    inner join qrels_rows
        on documents.query_id = qrels_rows.query_id and documents.doc_id = qrels_rows.doc_id
{% endif %}
    where {% if pooled or not labelled %}qrels_rows{% else %}documents{% endif %}.relevance {% if positive_only %}> 0{% else %}is not null{% endif %}

)

select
{% if several %}
    system,
{% endif %}
    query_id,
    doc_id,
    score,
    relevance
from hits
