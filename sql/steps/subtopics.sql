{% if subtopics %}
-- the judgments with the subtopic that each is about
judged_subtopics as (
    select
        cast({{ qrels.query_id | ident }} as {{ text }}){{ bytewise }} as query_id,
        cast({{ qrels.doc_id | ident }} as {{ text }}){{ bytewise }} as doc_id,
        cast({{ qrels.subtopic | ident }} as {{ text }}){{ bytewise }} as subtopic,
        {%+ if judgments == "mean" %}avg{% else %}max{% endif %}(cast({{ qrels.relevance | ident }} as {{ double }})) as relevance
    from {{ qrels.relation }}
    where {{ qrels.relevance | ident }} is not null
    group by
        cast({{ qrels.query_id | ident }} as {{ text }}){{ bytewise }},
        cast({{ qrels.doc_id | ident }} as {{ text }}){{ bytewise }},
        cast({{ qrels.subtopic | ident }} as {{ text }}){{ bytewise }}
),

-- how many documents each subtopic has
subtopic_totals as (
    select
{% for level in levels %}
        cast(sum(case when relevance >= {{ level.value | literal }} then 1 else 0 end) as {{ double }}) as relevant_{{ level.number }},
{% endfor %}
        query_id,
        subtopic
    from judged_subtopics
    group by query_id, subtopic
),

-- how many subtopics each query has
query_subtopics as (
    select
{% for level in levels %}
{% if level.subtopics %}
        cast(sum(case when relevant_{{ level.number }} > 0 then 1 else 0 end) as {{ double }}) as {{ level.subtopics | ident }},
{% endif %}
{% endfor %}
        query_id
    from subtopic_totals
    group by query_id
),

{% endif %}
