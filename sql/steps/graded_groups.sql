{% from "macros/keys.sql" import keys_in, keys_of, of_its_query with context %}
{% from "macros/steps.sql" import to_depth with context %}
-- judged documents of equal score and relevance taken together
graded_groups as (
    select
        {{ keys_of("ranked") }},
        ranked.score as score,
        ranked.relevance as relevance,
        cast(count(*) as {{ double }}) as documents
    from ranked
    {{ of_its_query() }}
    where ranked.relevance >= 0{{ to_depth(true) }}
    group by {{ keys_in("ranked") }}, ranked.score, ranked.relevance
),
