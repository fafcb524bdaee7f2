-- the judgments: one row for each judged document of a query
judged as (
    select
        query_id,
        doc_id,
{% for column in qrels.carried %}
        {{ column.alias | ident }},
{% endfor %}
        relevance
    from run_rows
    where relevance is not null
),
