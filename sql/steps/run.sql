{% from "macros/ranking.sql" import id_of, number_of %}
{% from "macros/steps.sql" import relevance_of, with_scores with context %}
-- the rankings: one row for each document returned
run_rows as {% if inline %}{{ inline }} {% endif %}(
    select
{% if several %}
        {{ id_of(run.system) }} as system,
{% endif %}
        {{ id_of(run.query_id) }} as query_id,
        {{ id_of(run.doc_id) }} as doc_id,
{% for column in run.extra %}
        cast({{ column.name | ident }} as {{ text }}) as {{ column.alias | ident }},
{% endfor %}
{% if run.weight %}
        cast({{ run.weight | ident }} as {{ double }}) as weight,
{% endif %}
{% if labelled %}
        {{ relevance_of(run.relevance) }} as relevance,
{% endif %}
{% if ties == "rank" %}
        {{ number_of(run.rank) }} as given_rank,
{% elif ties == "input" or duplicates == "first" %}
        input_order,
{% endif %}
{% if score_type == "float" %}
        case
            when cast({{ run.score | ident }} as {{ double }}) > 3.4028235677973362e38 then cast('Infinity' as {{ double }})
            when cast({{ run.score | ident }} as {{ double }}) < -3.4028235677973362e38 then cast('-Infinity' as {{ double }})
            else cast(cast({{ run.score | ident }} as {{ single }}) as {{ double }}){{ unsigned_zero }}
        end as score
{% else %}
        {{ number_of(run.score) }} as score
{% endif %}
    from {{ run.relation }}
    {{ with_scores(run, checked) }}
{% if parts > 1 %}
        and hash(cast({{ run.query_id | ident }} as {{ text }})) % {{ parts }} = {{ part }}
{% endif %}
),
