{% from "macros/ranking.sql" import id_of, number_of %}
{% from "macros/steps.sql" import rank_in_relation, relevance_of, with_scores with context %}
-- the rank of each document
ranked as (
    select
{% for key in key_names %}
        {{ id_of(run[key]) }} as {{ key | ident }},
{% endfor %}
{% if labelled %}
        {{ relevance_of(run.relevance) }} as relevance,
{% else %}
        {{ id_of(run.doc_id) }} as doc_id,
{% endif %}
        {%+ if order == "rank" %}{{ number_of(run.score) }}{% else %}{{ rank_in_relation() }}{% endif %} as rank
    from {{ run.relation }}
    {{ with_scores() }}
),
