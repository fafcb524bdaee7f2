{% from "macros/steps.sql" import made_in, relevance_of with context %}
{% from "macros/ranking.sql" import id_of %}
{% if subtopics %}
-- the judgments with the subtopic that each is about
judged_subtopics as (
    select
        {{ id_of(qrels.query_id) }} as query_id,
        {{ id_of(qrels.doc_id) }} as doc_id,
        {{ id_of(qrels.subtopic) }} as subtopic,
        {%+ if judgments == "mean" %}avg{% else %}max{% endif %}({{ relevance_of(qrels.relevance) }}) as relevance
    from {{ qrels.relation }}
    where {{ qrels.relevance | ident }} is not null
    group by
        {{ id_of(qrels.query_id) }},
        {{ id_of(qrels.doc_id) }},
        {{ id_of(qrels.subtopic) }}
),
{% if "subtopic_totals" in steps %}
-- how many documents each subtopic has
subtopic_totals as (
    select{{ made_in("subtopic_totals", columns) }}
        query_id,
        subtopic
    from judged_subtopics
    group by query_id, subtopic
),
{% endif %}
{% if "query_subtopics" in steps %}
-- how many subtopics each query has
query_subtopics as (
    select{{ made_in("query_subtopics", columns) }}
        query_id
    from subtopic_totals
    group by query_id
),
{% endif %}
{% endif %}
