{% from "macros/ranking.sql" import is_tied %}
{% if diagnostics and not without_judgments and not reads_once %}
-- how many documents of each query have a place that depends on the order of ties, and that matters
tied_queries as (
    select
        {{ keys }},
        sum(tied) as tied
    from (
        select
            {{ keys }},
            {{ is_tied(keys, deepest) }} as tied
        from scored
        where tied_above = 1 or tied_below = 1
    ) as tied_documents
    group by {{ keys }}
),
{% endif %}
