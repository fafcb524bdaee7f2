{% from "macros/steps.sql" import made_in with context %}
-- what the judged documents of each query weigh
query_weights as (
    select{{ made_in("query_weights") }}
        query_id
    from weighed_judgments
    group by query_id
),
