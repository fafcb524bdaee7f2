{% from "macros/keys.sql" import keys_in, keys_of with context %}
-- judged documents of equal score and relevance taken together
graded_groups as (
    select
        {{ keys_of("ranked") }},
        ranked.score as score,
        ranked.relevance as relevance,
        cast(count(*) as {{ double }}) as documents
    from ranked
{% include "steps/joins/query_rows.sql" %}
    where ranked.relevance >= 0{% if last_depth %} and ranked.rank <= {{ last_depth }}{% endif +%}
    group by {{ keys_in("ranked") }}, ranked.score, ranked.relevance
),
