{% from "macros/steps.sql" import made_in with context %}
-- how many documents each subtopic has
subtopic_totals as (
    select{{ made_in("subtopic_totals") }}
        query_id,
        subtopic
    from judged_subtopics
    group by query_id, subtopic
),
