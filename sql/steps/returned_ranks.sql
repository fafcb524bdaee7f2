{% from "macros/steps.sql" import order_of_documents with context %}
-- the rank of every document returned
returned_ranks as (
    select
        {{ keys }},
        doc_id,
        score,
        relevance,
        row_number() over (partition by {{ keys }} order by {{ order_of_documents() }}) as returned_rank
    from {{ candidates }}
),
