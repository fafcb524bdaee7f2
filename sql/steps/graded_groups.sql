{% from "macros/keys.sql" import keys_in, keys_of with context %}
{% from "macros/steps.sql" import made_in with context %}
-- judged documents of equal score and relevance taken together
graded_groups as (
    select
        {{ keys_of("ranked") }},
        ranked.score as score,
        ranked.relevance as relevance,{{ made_in("graded_groups") }}
        cast(count(*) as {{ double }}) as documents
    from ranked
{% for join in joins.graded_groups %}
{% include join %}
{% endfor %}
    where ranked.relevance >= 0{% if last_depth %} and ranked.rank <= {{ last_depth }}{% endif +%}
    group by {{ keys_in("ranked") }}, ranked.score, ranked.relevance
),
