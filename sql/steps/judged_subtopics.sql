{% from "macros/ranking.sql" import id_of %}
{% from "macros/steps.sql" import relevance_of with context %}
-- the judgments with the subtopic that each is about
judged_subtopics as (
    select
        {{ id_of(qrels.query_id) }} as query_id,
        {{ id_of(qrels.doc_id) }} as doc_id,
        {{ id_of(qrels.subtopic) }} as subtopic,
        {{ rating }}({{ relevance_of(qrels.relevance) }}) as relevance
    from {{ qrels.relation }}
    where {{ qrels.relevance | ident }} is not null
    group by
        {{ id_of(qrels.query_id) }},
        {{ id_of(qrels.doc_id) }},
        {{ id_of(qrels.subtopic) }}
),
