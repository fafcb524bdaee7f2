{% from "macros/ranking.sql" import id_of %}
{% from "macros/steps.sql" import carried, relevance_of, with_relevance with context %}
-- the judgments: one row for each judged document of a query
judged as {{ judged_inline }}(
    select
        {{ id_of(run.query_id) }} as query_id,
{% for column in qrels.carried %}
        {{ carried(column) }} as {{ column.alias | ident }},
{% endfor %}
        {{ relevance_of(run.relevance) }} as relevance
    from {{ run.relation }}
    {{ with_relevance(run) }}
),
