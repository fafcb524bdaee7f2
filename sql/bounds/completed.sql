{# The documents of `returned` are completed: those of a run, or of a table with the ids as texts. #}
{% from "macros/ranking.sql" import id_of, number_of %}
-- the judgments, and with them unjudged documents returned, each as relevant as any may be
with

judged as (
    select{% if distinct %} distinct{% endif +%}
        {{ id_of(judgments.query_id) }} as query_id,
        {{ id_of(judgments.doc_id) }} as doc_id,
        {{ number_of(judgments.relevance) }} as relevance
    from {{ judgments.relation }}
    where {{ judgments.relevance | ident }} is not null
),

returned as (
    select distinct
        {{ id_of(returned.query_id) }} as query_id,
        {{ id_of(returned.doc_id) }} as doc_id
    from {{ returned.relation }}
)

select
    query_id,
    doc_id,
    relevance
from judged

union all

select
    returned.query_id,
    returned.doc_id,
    {%+ if top_relevance is none %}(select max(relevance) from judged){% else %}{{ top_relevance | literal }}{% endif %} as relevance
from returned
left join judged
    on returned.query_id = judged.query_id and returned.doc_id = judged.doc_id
where
    judged.doc_id is null
{% if of_judged %}
    and returned.query_id in (select query_id from judged)
{% endif %}
