-- the documents that reach the last of them
create temp table {{ names.first_documents | ident }} as
with

{% include "steps/run.sql" %}
first_documents as (
    select
{% if several %}
        run_rows.system,
{% endif %}
        run_rows.query_id,
        run_rows.doc_id,
{% if labelled %}
        run_rows.relevance,
{% endif %}
        run_rows.score
    from run_rows
    inner join {{ names.first_scores | ident }} as first_scores
        on
            run_rows.query_id = first_scores.query_id
{% if several %}
            and run_rows.system = first_scores.system
{% endif %}
            and run_rows.score {% if ascending %}<={% else %}>={% endif %} list_last(first_scores.scores)
{% if reach %}
    where run_rows.score {% if ascending %}<={% else %}>={% endif %} cast({{ reach | literal }} as {{ double }})
{% endif %}
)

select
{% if several %}
    system,
{% endif %}
    query_id,
    doc_id,
{% if labelled %}
    relevance,
{% endif %}
    score
from first_documents
