{% if subtopics %}
{% set above -%}
over (
            partition by {% if several %}ranked.system, {% endif %}ranked.query_id, judged_subtopics.subtopic
            order by ranked.rank
            rows between unbounded preceding and 1 preceding
        )
{%- endset %}
-- the subtopics of the documents found
covered_subtopics as (
    select
{% if several %}
        ranked.system as system,
{% endif %}
        ranked.query_id as query_id,
{% for level in levels %}
{% if level.covered %}
        cast(case when judged_subtopics.relevance >= {{ level.value | literal }} then 1 else 0 end as {{ double }}) as {{ level.covered | ident }},
        coalesce(sum(cast(case when judged_subtopics.relevance >= {{ level.value | literal }} then 1 else 0 end as {{ double }})) {{ above }}, 0) as seen_{{ level.number }},
        subtopic_totals.relevant_{{ level.number }},
{% endif %}
{% endfor %}
        ranked.rank as place
    from ranked
    inner join judged_subtopics
        on ranked.query_id = judged_subtopics.query_id and ranked.doc_id = judged_subtopics.doc_id
    inner join subtopic_totals
        on judged_subtopics.query_id = subtopic_totals.query_id and judged_subtopics.subtopic = subtopic_totals.subtopic
{% if depth and unjudged != "remove" %}
    where ranked.rank <= {{ depth }}
{% endif %}
),

-- what each of them is worth where it stands
subtopic_rows as (
    select
{% if several %}
        system,
{% endif %}
        query_id,
{% for level in levels %}
{% if level.covered %}
{% for novelty in novelties %}
{% if novelty.novelty and novelty.rel == level.value %}
        {{ level.covered | ident }} * power({{ (1 - novelty.alpha) | literal }}, seen_{{ level.number }}) as {{ novelty.novelty | ident }},
{% endif %}
{% endfor %}
        {{ level.covered | ident }},
{% if level.first_covered %}
        case when seen_{{ level.number }} = 0 then {{ level.covered | ident }} else 0 end as {{ level.first_covered | ident }},
{% endif %}
{% if level.subtopic_precision %}
        {{ level.covered | ident }} * (seen_{{ level.number }} + 1) / place / nullif(relevant_{{ level.number }}, 0) as {{ level.subtopic_precision | ident }},
{% endif %}
{% endif %}
{% endfor %}
        place
    from covered_subtopics
),

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
{% if several %}
        query_rows.system as system,
{% endif %}
        query_rows.query_id as query_id,
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
{% endif %}
