{% from "macros/steps.sql" import made_in %}
{% from "macros/ranking.sql" import keys_of %}
{% if "covered_subtopics" in steps %}
-- the subtopics of the documents found
covered_subtopics as (
    select
        {{ keys_of("ranked", several) }},{{ made_in("covered_subtopics", columns) }}
{% for column in columns if column.step == "subtopic_totals" %}
        subtopic_totals.{{ column.name | ident }} as {{ column.name | ident }},
{% endfor %}
        ranked.rank as place
    from ranked
    inner join judged_subtopics
        on ranked.query_id = judged_subtopics.query_id and ranked.doc_id = judged_subtopics.doc_id
{% if "subtopic_totals" in steps %}
    inner join subtopic_totals
        on judged_subtopics.query_id = subtopic_totals.query_id and judged_subtopics.subtopic = subtopic_totals.subtopic
{% endif %}
{% if depth and unjudged != "remove" %}
    where ranked.rank <= {{ depth }}
{% endif %}
),
-- what each of them is worth where it stands
subtopic_rows as (
    select
        {{ keys }},
{% for column in columns if column.padded and column.step in ["covered_subtopics", "subtopic_rows"] %}
        {%+ if column.step == "subtopic_rows" %}{{ column.text }} as {% endif %}{{ column.name | ident }},
{% endfor %}
        place
    from covered_subtopics
),
{% endif %}
{% for novelty in covered_novelties %}
-- the ranking that adds most at every place, from what was not taken yet
greedy_{{ novelty.ideal_novelty | ident }} as (
    select
        query_id,
        doc_id,
        subtopic,
        cast(1 as {{ double }}) as worth,
        case
            when doc_id = first_value(doc_id) over (partition by query_id order by subtopics desc, doc_id desc) then 1
            else 0
        end as taken,
        1 as place
    from (
        select
            query_id,
            doc_id,
            subtopic,
            count(*) over (partition by query_id, doc_id) as subtopics
        from judged_subtopics
        where relevance >= {{ novelty.rel | literal }}
    ) as first_choices

    union all

    select
        query_id,
        doc_id,
        subtopic,
        worth,
        case
            when doc_id = first_value(doc_id) over (
                partition by query_id
                order by floor(gain * 1000000000 + 0.5) desc, doc_id desc
            ) then 1
            else 0
        end as taken,
        place
    from (
        select
            query_id,
            doc_id,
            subtopic,
            worth,
            sum(worth) over (partition by query_id, doc_id) as gain,
            place
        from (
            select
                query_id,
                doc_id,
                subtopic,
                worth * case
                    when max(taken) over (partition by query_id, subtopic) = 1 then {{ (1 - novelty.alpha) | literal }}
                    else 1
                end as worth,
                taken,
                place + 1 as place
            from greedy_{{ novelty.ideal_novelty | ident }}
{% if covers %}
            where place < {{ covers }}
{% endif %}
        ) as discounted
        where taken = 0
    ) as choices
),
{% endfor %}
{% if covering %}
-- the gain of each place of these rankings
cover_rows as (
{% for novelty in covered_novelties %}
    select
        {{ keys_of("query_rows", several) }},
{% for other in covered_novelties %}
        {%+ if other.ideal_novelty == novelty.ideal_novelty %}sum(greedy.worth){% else %}cast(0 as {{ double }}){% endif %} as {{ other.ideal_novelty | ident }},
{% endfor %}
        greedy.place as place
    from query_rows
    inner join greedy_{{ novelty.ideal_novelty | ident }} as greedy
        on query_rows.query_id = greedy.query_id
    where greedy.taken = 1
    group by {%+ if several %}query_rows.system, {% endif %}query_rows.query_id, greedy.place
{% if not loop.last %}

    union all

{% endif %}
{% endfor %}
),
{% endif %}
