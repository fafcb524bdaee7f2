{% from "macros/ranking.sql" import id_of %}
{% from "macros/steps.sql" import carried, of_raters, relevance_of, with_relevance with context %}
-- the judgments: one row for each judged document of a query
judged as {{ judged_inline }}(
    select
        {{ id_of(qrels.query_id) }} as query_id,
        {{ id_of(qrels.doc_id) }} as doc_id,
{% for column in qrels.carried %}
        {{ of_raters(carried(column)) }} as {{ column.alias | ident }},
{% endfor %}
        {{ of_raters(relevance_of(qrels.relevance), rating) }} as relevance
    from {{ qrels.relation }}
    {{ with_relevance(qrels) }}
{% if pooled %}
    group by {{ id_of(qrels.query_id) }}, {{ id_of(qrels.doc_id) }}
{% endif %}
),
