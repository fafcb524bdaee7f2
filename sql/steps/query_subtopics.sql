{% from "macros/steps.sql" import made_in with context %}
-- how many subtopics each query has
query_subtopics as (
    select{{ made_in("query_subtopics") }}
        query_id
    from subtopic_totals
    group by query_id
),
