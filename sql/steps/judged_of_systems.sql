-- the judgments: one row for each judged document of a query
judged as (
    select
        query_id,
        doc_id,
{% for column in qrels.carried %}
        max({{ column.alias | ident }}) as {{ column.alias | ident }},
{% endfor %}
        {{ rating }}({% if rating == "avg" %}distinct {% endif %}relevance) as relevance
    from run_rows
    where relevance is not null
    group by query_id, doc_id
),
