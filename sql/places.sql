{% from "macros/steps.sql" import one_ranking %}
-- the first documents of each ranking, with their judgments: null where nobody judged them
with

{% include "steps/run.sql" %}
{% include "steps/qrels.sql" %}
{% include "steps/copies.sql" %}
{% include "steps/candidates.sql" %}
{% include "steps/ranked.sql" %}
{% if of_queries %}
{% include "steps/judged_queries.sql" %}
{% include "steps/found_queries.sql" %}
{% include "steps/queries.sql" %}
{% endif %}
first_documents as (
    select
        {%+ if several %}ranked.system{% else %}{{ system | literal }}{% endif %} as system,
        ranked.query_id as query_id,
        ranked.doc_id as doc_id,
{% if weighted %}
        query_rows.weight as weight,
{% endif %}
{% if without_judgments %}
        cast(null as {{ double }}) as relevance,
{% else %}
        {%+ if carries %}ranked{% else %}judged{% endif %}.relevance as relevance,
{% endif %}
        ranked.rank as rank
    from ranked
{% if not (carries or without_judgments) %}
    left join judged
        on ranked.query_id = judged.query_id and ranked.doc_id = judged.doc_id
{% endif %}
{% if of_queries %}
    inner join query_rows
        on {{ one_ranking("ranked", "query_rows", several) }}
{% endif %}
{% if limit %}
    where ranked.rank <= {{ limit }}
{% endif %}
)

select
    system,
    query_id,
    doc_id,
{% if weighted %}
    weight,
{% endif %}
    relevance,
    rank
from first_documents
