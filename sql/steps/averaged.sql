{% from "macros/keys.sql" import keys_in, keys_of with context %}
-- the documents, each with the mean of those of its score
averaged as (
    select
        {{ keys_of("ranked") }},
        ranked.rank as rank,
{% for column in columns if column.step == "ranked" %}
        {{ column.name | ident }},
{% endfor %}
{% for column in columns if column.mean %}
        avg({{ column.text }}) over (partition by {{ keys_in("ranked") }}, ranked.score) as {{ column.name | ident }},
{% endfor %}
        relevance
    from ranked
{% for join in joins.averaged %}
{% include join %}
{% endfor %}
),
