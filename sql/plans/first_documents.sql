-- the documents that reach it
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
{% if ties == "rank" %}
        run_rows.given_rank,
{% elif ties == "input" %}
        run_rows.input_order,
{% endif %}
        run_rows.score
    from run_rows
    inner join {{ names.cut_scores | ident }} as cut_scores
        on
            run_rows.query_id = cut_scores.query_id
{% if several %}
            and run_rows.system = cut_scores.system
{% endif %}
            and run_rows.score {% if ascending %}<={% else %}>={% endif %} cut_scores.score
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
{% if ties == "rank" %}
    given_rank,
{% elif ties == "input" %}
    input_order,
{% endif %}
    score
from first_documents
