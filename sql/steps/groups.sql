{% from "macros/ranking.sql" import keys_of %}
{% if "score_groups" in steps %}
-- documents of equal score taken together
score_groups as (
    select
        {{ keys_of("ranked", several) }},
        ranked.score as score,
{% for column in columns if column.step == "score_groups" %}
        {{ column.text }} as {{ column.name | ident }},
{% endfor %}
        max(ranked.rank) as place
    from ranked
    inner join query_rows
        on ranked.query_id = query_rows.query_id{% if several %} and ranked.system = query_rows.system{% endif %}

{% if depth and unjudged != "remove" %}
    where ranked.rank <= {{ depth }}
{% endif %}
    group by {%+ if several %}ranked.system, {% endif %}ranked.query_id, ranked.score
),
-- the same with what stands above and below them
group_rows as (
    select
        {{ keys }},
{% for column in columns if column.step in ["score_groups", "group_rows"] %}
        {%+ if column.step == "group_rows" %}{{ column.text }} as {% endif %}{{ column.name | ident }},
{% endfor %}
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
    inner join query_rows
        on ranked.query_id = query_rows.query_id{% if several %} and ranked.system = query_rows.system{% endif %}

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
        {{ keys_of("better", several) }},
{% for column in columns if column.step == "pair_rows" %}
        {{ column.text }} as {{ column.name | ident }},
{% endfor %}
        max(1) as place
    from graded_groups as better
    inner join graded_groups as worse
        on
            better.query_id = worse.query_id
{% if several %}
            and better.system = worse.system
{% endif %}
    where better.relevance > worse.relevance
    group by {%+ if several %}better.system, {% endif %}better.query_id
),
{% endif %}
