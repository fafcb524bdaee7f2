{% from "macros/sums.sql" import sum_of_scores %}
-- the documents, each with the sum of the scores of its chunks
copies as (
    select
        {{ keys }},
        doc_id,
        {{ sum_of_scores("score") }} as score,
{% for name in tie_columns %}
        min({{ name | ident }}) as {{ name | ident }},
{% endfor %}
        1 as copy
    from run_rows
    group by {{ keys }}, doc_id
),
