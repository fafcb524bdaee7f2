{% from "macros/keys.sql" import keys_of, one_ranking with context %}
-- the documents that reach the last of them
create temp table {{ names.first_documents | ident }} as
with

{% include "steps/run.sql" %}
first_documents as (
    select
        {{ keys_of("run_rows") }},
        run_rows.doc_id,
{% if labelled %}
        run_rows.relevance,
{% endif %}
        run_rows.score
    from run_rows
    inner join {{ names.first_scores | ident }} as first_scores
        on
            {{ one_ranking("run_rows", "first_scores") }}
            and run_rows.score {% if ascending %}<={% else %}>={% endif %} list_last(first_scores.scores)
{% if reach %}
    where run_rows.score {% if ascending %}<={% else %}>={% endif %} cast({{ reach | literal }} as {{ double }})
{% endif %}
)

select *
from first_documents
