{% from "macros/ranking.sql" import id_of, number_of %}
{% from "macros/steps.sql" import tie_column, with_scores with context %}
{% set deeper %}    {% endset %}
        select
            {{ id_of(run.query_id) }} as query_id,
            {{ id_of(run.doc_id) }} as doc_id,
            {{ number_of(run.score) }} as score,
{% for name in run_order %}
            {{ tie_column(name) }},
{% endfor %}
            cast(null as {{ double }}) as relevance
        from {{ run.relation }}
        {{ with_scores(deeper) }}
