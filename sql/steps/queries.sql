{% set found_weight -%}
{% if several %}max(found.weight) over (partition by {% if query_set == "judged" %}judged{% else %}found{% endif %}.query_id){% else %}found.weight{% endif %}
{%- endset %}
{% if unjudged == "remove" %}
-- how many results are left where the unjudged are removed
kept_queries as (
    select
{% if several %}
        system,
{% endif %}
        query_id,
        count(*) as kept
    from ranked
    group by {{ keys }}
),

{% endif %}
{% if several and query_set == "judged" %}
system_rows as (
    select system
{% if parts > 1 %}
    from (select cast({{ run.system | ident }} as {{ text }}){{ bytewise }} as system from {{ run.relation }}) as named
{% elif rankings %}
    from {{ rankings | ident }}
{% else %}
    from run_rows
{% endif %}
    group by system
),

{% endif %}
-- the queries that are averaged
query_rows as (
    select
{% if several %}
        {%+ if query_set == "judged" %}system_rows{% else %}found{% endif %}.system as system,
{% endif %}
        {%+ if query_set == "judged" %}judged{% else %}found{% endif %}.query_id as query_id,
{% for segment in segments %}
        coalesce(
{% if segment.asked %}
            cast(asked.{{ segment.name | ident }} as {{ text }}),
{% endif %}
{% if segment.found %}
{% if several %}
            max(found.{{ segment.alias | ident }}) over (partition by {% if query_set == "judged" %}judged{% else %}found{% endif %}.query_id),
{% else %}
            found.{{ segment.alias | ident }},
{% endif %}
{% endif %}
{% if segment.judged %}
            judged.{{ segment.alias | ident }},
{% endif %}
            case when found.query_id is null then '(no results)' else '(none)' end
        ) as {{ segment.alias | ident }},
{% endfor %}
{% if asked.weight %}
        cast(asked.{{ asked.weight | ident }} as {{ double }}) as weight,
{% elif qrels.weight and run.weight %}
        coalesce({{ found_weight }}, judged.weight) as weight,
{% elif weighted %}
        {%+ if qrels.weight %}judged.weight{% else %}{{ found_weight }}{% endif %} as weight,
{% endif %}
{% for level in levels %}
{% if level.relevant %}
        {%+ if without_judgments %}cast(0 as {{ double }}){% else %}coalesce(judged.{{ level.relevant | ident }}, 0){% endif %} as {{ level.relevant | ident }},
{% endif %}
{% if level.nonrelevant %}
        coalesce(judged.{{ level.nonrelevant | ident }}, 0) as {{ level.nonrelevant | ident }},
{% endif %}
{% endfor %}
{% for gain in gains %}
{% if gain.gainful %}
        coalesce(judged.{{ gain.gainful | ident }}, 0) as {{ gain.gainful | ident }},
{% endif %}
{% endfor %}
{% for level in levels %}
{% if level.subtopics %}
        coalesce(query_subtopics.{{ level.subtopics | ident }}, 0) as {{ level.subtopics | ident }},
{% endif %}
{% endfor %}
{% if top_relevance %}
        coalesce(judged.top_relevance, 0) as top_relevance,
{% endif %}
{% if unjudged == "remove" %}
        cast(coalesce(kept.kept, 0) as {{ double }}) as retrieved
{% elif depth %}
        cast(case when found.returned > {{ depth }} then {{ depth }} else coalesce(found.returned, 0) end as {{ double }}) as retrieved
{% else %}
        cast(coalesce(found.returned, 0) as {{ double }}) as retrieved
{% endif %}
{% if query_set == "judged" %}
    from judged_queries as judged
{% if several %}
    cross join system_rows
{% endif %}
    left join found_queries as found
        on judged.query_id = found.query_id{% if several %} and system_rows.system = found.system{% endif %}

{% else %}
    from found_queries as found
{% if not without_judgments %}
    {%+ if query_set == "shared" %}inner{% else %}left{% endif %} join judged_queries as judged
        on found.query_id = judged.query_id
{% endif %}
{% endif %}
{% if subtopics %}
    left join query_subtopics
        on {% if query_set == "judged" %}judged{% else %}found{% endif %}.query_id = query_subtopics.query_id
{% endif %}
{% if unjudged == "remove" %}
    left join kept_queries as kept
        on found.query_id = kept.query_id{% if several %} and found.system = kept.system{% endif %}

{% endif %}
{% if asked.relation %}
    left join {{ asked.relation }} as asked
        on {% if query_set == "judged" %}judged{% else %}found{% endif %}.query_id = cast(asked.{{ asked.query_id | ident }} as {{ text }}){{ bytewise }}
{% endif %}
),

