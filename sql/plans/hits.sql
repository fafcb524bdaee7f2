-- the documents found that were judged
create temp table {{ names.hits | ident }} as
with

{% include "steps/run.sql" %}
{% include "steps/qrels.sql" %}
hits as (
    select
{% if several %}
        run_rows.system,
{% endif %}
        run_rows.query_id,
        run_rows.doc_id,
        run_rows.score,
        qrels_rows.relevance
    from run_rows
    inner join qrels_rows
        on run_rows.query_id = qrels_rows.query_id and run_rows.doc_id = qrels_rows.doc_id
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
