{% from "macros/ranking.sql" import order_of_copies %}
-- documents that stand more than once in a ranking, numbered from the one that counts
copies as (
    select
        {{ keys }},
        doc_id,
        score,
{% for name in tie_columns %}
        {{ name | ident }},
{% endfor %}
        row_number() over (
            partition by {{ keys }}, doc_id
            order by {{ order_of_copies(copies, direction, ties) }}
        ) as copy
    from run_rows
),
