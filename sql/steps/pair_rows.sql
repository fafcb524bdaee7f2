{% from "macros/keys.sql" import keys_in, keys_of, one_ranking with context %}
{% from "macros/steps.sql" import made_in with context %}
-- pairs of documents of different relevance
pair_rows as (
    select
        {{ keys_of("better") }},{{ made_in("pair_rows") }}
        max(1) as place
    from graded_groups as better
    inner join graded_groups as worse
        on {{ one_ranking("better", "worse") }}
    where better.relevance > worse.relevance
    group by {{ keys_in("better") }}
),
