{% from "macros/ranking.sql" import id_of %}
{% from "macros/steps.sql" import carried, relevance_of, score_of, tie_column, with_scores with context %}
-- the rankings: one row for each document returned
run_rows as {{ inline }}(
    select
{% for key in key_names %}
        {{ id_of(run[key]) }} as {{ key | ident }},
{% endfor %}
        {{ id_of(run.doc_id) }} as doc_id,
{% for column in run.carried %}
        {{ carried(column) }} as {{ column.alias | ident }},
{% endfor %}
{% if labelled %}
        {{ relevance_of(run.relevance) }} as relevance,
{% endif %}
{% for name in run_order %}
        {{ tie_column(name) }},
{% endfor %}
        {{ score_of(run.score) }} as score
    from {{ run.relation }}
    {{ with_scores() }}
),
