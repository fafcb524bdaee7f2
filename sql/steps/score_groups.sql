{% from "macros/keys.sql" import keys_in, keys_of with context %}
{% from "macros/steps.sql" import made_in with context %}
-- documents of equal score taken together
score_groups as (
    select
        {{ keys_of("ranked") }},
        ranked.score as score,{{ made_in("score_groups") }}
        max(ranked.rank) as place
    from ranked
{% include "steps/joins/query_rows.sql" %}
{% if last_depth %}
    where ranked.rank <= {{ last_depth }}
{% endif %}
    group by {{ keys_in("ranked") }}, ranked.score
),
