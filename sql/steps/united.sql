{% from "macros/ranking.sql" import id_of, number_of, order_of_gains, order_of_scores %}
{% from "macros/steps.sql" import relevance_of, with_scores with context %}
{% if united %}
{% set deeper %}    {% endset %}
{% set way %}{{ direction }}{% if ascending %} nulls last{% endif %}{% endset %}
{% set by_score %}{{ order_of_scores("score" | ident, way, ties, "doc_id" | ident, "given_rank" | ident) }}{% endset %}
-- the documents returned{% if limit %} down to the last rank that matters{% endif %} and those judged, which are divided by query once
placed as (
    select
        query_id,
        doc_id,
        relevance,
{% for ideal in ideals %}
        row_number() over (partition by query_id order by {{ order_of_gains(ideal.gain) }} desc) as {{ ideal.rank | ident }},
{% endfor %}
{% if limit %}
        rank
{% elif order == "rank" %}
        case when relevance is null then score end as rank
{% else %}
        case
            when relevance is null then row_number() over (partition by query_id order by {{ by_score }})
        end as rank
{% endif %}
    from (
        select
{% if limit %}
            query_id,
            doc_id,
            rank,
{% else %}
            {{ id_of(run.query_id) }} as query_id,
            {{ id_of(run.doc_id) }} as doc_id,
            {{ number_of(run.score) }} as score,
{% if ties == "rank" %}
            {{ number_of(run.rank) }} as given_rank,
{% endif %}
{% endif %}
            cast(null as {{ double }}) as relevance
        from {% if limit %}ranked{% else %}{{ run.relation }}{% endif %}

{% if limit %}
        where rank <= {{ limit }}
{% else %}
        {{ with_scores(run, false, deeper) }}
{% endif %}

        union all

        select
            {{ id_of(qrels.query_id) }} as query_id,
            {{ id_of(qrels.doc_id) }} as doc_id,
{% if limit %}
            null as rank,
{% else %}
            null as score,
{% if ties == "rank" %}
            null as given_rank,
{% endif %}
{% endif %}
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
{% endif %}
