{% from "macros/steps.sql" import made_in, of_its_query, one_ranking %}
{% from "macros/ranking.sql" import keys_of %}
{% if "score_groups" in steps %}
-- documents of equal score taken together
score_groups as (
    select
        {{ keys_of("ranked", several) }},
        ranked.score as score,{{ made_in("score_groups", columns) }}
        max(ranked.rank) as place
    from ranked
    {{ of_its_query(several) }}
{% if depth and unjudged != "remove" %}
    where ranked.rank <= {{ depth }}
{% endif %}
    group by {%+ if several %}ranked.system, {% endif %}ranked.query_id, ranked.score
),
-- the same with what stands above and below them
group_rows as (
    select
        {{ keys }},{{ made_in("group_rows", columns, ["score_groups"]) }}
        place
    from score_groups
),
{% endif %}
{% if "pair_rows" in steps %}
-- judged documents of equal score and relevance taken together
graded_groups as (
    select
        {{ keys_of("ranked", several) }},
        ranked.score as score,
        ranked.relevance as relevance,
        cast(count(*) as {{ double }}) as documents
    from ranked
    {{ of_its_query(several) }}
    where
        ranked.relevance >= 0
{% if depth and unjudged != "remove" %}
        and ranked.rank <= {{ depth }}
{% endif %}
    group by {%+ if several %}ranked.system, {% endif %}ranked.query_id, ranked.score, ranked.relevance
),
-- pairs of documents of different relevance
pair_rows as (
    select
        {{ keys_of("better", several) }},{{ made_in("pair_rows", columns) }}
        max(1) as place
    from graded_groups as better
    inner join graded_groups as worse
        on {{ one_ranking("better", "worse", several) }}
    where better.relevance > worse.relevance
    group by {%+ if several %}better.system, {% endif %}better.query_id
),
{% endif %}
