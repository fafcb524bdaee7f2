{% from "macros/keys.sql" import one_ranking with context %}
-- the first documents of each ranking, with their judgments: null where unjudged
with

{% for step in document_steps %}
{% include step %}
{% endfor %}
{% if of_queries %}
{% for step in query_steps %}
{% include step %}
{% endfor %}
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
        on {{ one_ranking("ranked", "query_rows") }}
{% endif %}
{% if limit %}
    where ranked.rank <= {{ limit }}
{% endif %}
)

select *
from first_documents
