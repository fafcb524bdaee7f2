{% from "macros/ranking.sql" import id_of, order_of_gains %}
{% from "macros/steps.sql" import relevance_of with context %}
-- the documents returned{% if limit %} down to the last rank that matters{% endif %} and those judged, which are divided by query once
placed as (
    select
        query_id,
        doc_id,
        relevance,
{% for ideal in ideals %}
        row_number() over (partition by query_id order by {{ order_of_gains(ideal.gain) }} desc) as {{ ideal.rank | ident }},
{% endfor %}
{% include united_rank %}
    from (
{% include united_run %}

        union all

        select
            {{ id_of(qrels.query_id) }} as query_id,
            {{ id_of(qrels.doc_id) }} as doc_id,
{% for name in united_columns %}
            null as {{ name }},
{% endfor %}
            {{ relevance_of(qrels.relevance) }} as relevance
        from {{ qrels.relation }}
        where {{ qrels.relevance | ident }} is not null
    ) as both_inputs
),
-- each judged document with its rank, null where it was not found
judged as (
    select
        query_id,
        min(rank) as rank,
{% for ideal in ideals %}
        min({{ ideal.rank | ident }}) as {{ ideal.rank | ident }},
{% endfor %}
        max(relevance) as relevance
    from placed
    group by query_id, doc_id
    having max(relevance) is not null
),
