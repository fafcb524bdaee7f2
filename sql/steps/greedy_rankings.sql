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
