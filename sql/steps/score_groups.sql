{% from "macros/keys.sql" import keys_in, keys_of, of_its_query with context %}
{% from "macros/steps.sql" import made_in, to_depth with context %}
-- documents of equal score taken together
score_groups as (
    select
        {{ keys_of("ranked") }},
        ranked.score as score,{{ made_in("score_groups") }}
        max(ranked.rank) as place
    from ranked
    {{ of_its_query() }}{{ to_depth() }}
    group by {{ keys_in("ranked") }}, ranked.score
),
