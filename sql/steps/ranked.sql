{% from "macros/ranking.sql" import id_of, number_of, order_of_scores %}
{% from "macros/steps.sql" import relevance_of, with_scores with context %}
{% if plain %}
{% set query_id = id_of(run.query_id) %}
{% set doc_id = id_of(run.doc_id) %}
{% set score = number_of(run.score) %}
{% set given_rank = number_of(run.rank) %}
{% else %}
{% set query_id %}query_id{% endset %}
{% set doc_id %}doc_id{% endset %}
{% set score %}score{% endset %}
{% set given_rank %}given_rank{% endset %}
{% endif %}
{% set by_score %}{{ order_of_scores(score, direction, ties, doc_id, given_rank) }}{% endset %}
{% if unjudged == "remove" %}
-- the rank of every document returned
returned_ranks as (
    select
        {{ keys }},
        doc_id,
        score,
        relevance,
        row_number() over (partition by {{ keys }} order by {{ by_score }}) as returned_rank
    from {{ candidates }}
),
{% set by_score %}returned_rank{% endset %}
{% endif %}
{% set window -%}
over (partition by {%+ if plain %}{{ query_id }}{% else %}{{ keys }}{% endif %} order by {{ by_score }})
{%- endset %}
-- the rank of each document
ranked as (
    select
{% if several %}
        system,
{% endif %}
        {%+ if plain %}{{ query_id }} as {% endif %}query_id,
{% if carries %}
        {%+ if plain %}{{ relevance_of(run.relevance) }} as {% endif %}relevance,
{% endif %}
{% if needs_doc or not carries %}
        {%+ if plain %}{{ doc_id }} as {% endif %}doc_id,
{% endif %}
{% if needs_score %}
        score,
{% endif %}
{% if diagnostics %}
        case when score = lag(score) {{ window }} then 1 else 0 end as tied_above,
        case when score = lead(score) {{ window }} then 1 else 0 end as tied_below,
{% endif %}
{% if order == "rank" %}
        {{ score }} as rank
{% elif plain %}
        row_number() over (
            partition by {{ query_id }}{% if ties not in ["doc-desc", "doc-asc"] %}

           {%+ endif %} order by {{ by_score }}
        ) as rank
{% else %}
        row_number() {{ window }} as rank
{% endif %}
{% if unjudged == "remove" %}
    from returned_ranks
    where
        relevance >= 0
{% if depth %}
        and returned_rank <= {{ depth }}
{% endif %}
{% elif plain %}
    from {{ run.relation }}
    {{ with_scores(run, checked) }}
{% else %}
    from {{ candidates }}
{% endif %}
),
