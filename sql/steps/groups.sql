{% if groups %}
-- documents of equal score taken together
score_groups as (
    select
{% if several %}
        ranked.system as system,
{% endif %}
        ranked.query_id as query_id,
        ranked.score as score,
{% for level in levels %}
{% if level.group_relevant %}
        sum(cast(case when relevance >= {{ level.value | literal }} then 1 else 0 end as {{ double }})) as {{ level.group_relevant | ident }},
{% endif %}
{% if level.group_others %}
        sum(cast(case when relevance >= {{ level.value | literal }} then 0 else 1 end as {{ double }})) as {{ level.group_others | ident }},
{% endif %}
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

{% set below -%}
over (
            partition by {{ keys }}
            order by score {{ direction }}
            rows between 1 following and unbounded following
        )
{%- endset %}
{% set so_far -%}
over (
            partition by {{ keys }}
            order by score {{ direction }}
            rows between unbounded preceding and current row
        )
{%- endset %}
-- the same with what stands above and below them
group_rows as (
    select
{% if several %}
        system,
{% endif %}
        query_id,
{% for level in levels %}
{% if level.group_relevant %}
        {{ level.group_relevant | ident }},
{% endif %}
{% if level.group_others %}
        {{ level.group_others | ident }},
{% endif %}
{% if level.pairs_won %}
        {{ level.group_relevant | ident }} * ({{ level.group_others | ident }} / 2 + coalesce(sum({{ level.group_others | ident }}) {{ below }}, 0)) as {{ level.pairs_won | ident }},
{% endif %}
{% if level.group_precision %}
        {{ level.group_relevant | ident }} * sum({{ level.group_relevant | ident }}) {{ so_far }} / place as {{ level.group_precision | ident }},
{% endif %}
{% endfor %}
        place
    from score_groups
),

{% endif %}
{% if pairs %}
-- judged documents of equal score and relevance taken together
graded_groups as (
    select
{% if several %}
        ranked.system as system,
{% endif %}
        ranked.query_id as query_id,
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
{% if several %}
        better.system as system,
{% endif %}
        better.query_id as query_id,
        sum(better.documents * worse.documents) as graded_pairs,
        sum(
            better.documents * worse.documents
            * case
                when better.score {% if ascending %}<{% else %}>{% endif %} worse.score then 1.0
                when better.score = worse.score then 0.5
                else 0.0
            end
        ) as graded_pairs_won,
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
