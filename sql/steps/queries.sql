{% from "macros/steps.sql" import one_ranking %}
{% from "macros/ranking.sql" import id_of %}
{% set found_weight -%}
{% if several %}max(found.weight) over (partition by {% if query_set == "judged" %}judged{% else %}found{% endif %}.query_id){% else %}found.weight{% endif %}
{%- endset %}
{% if unjudged == "remove" %}
-- how many results are left where the unjudged are removed
kept_queries as (
    select
        {{ keys }},
        count(*) as kept
    from ranked
    group by {{ keys }}
),
{% endif %}
{% if several and query_set == "judged" %}
{# DataFusion takes the column of a grouping for a key, even where it is joined with every query. #}
-- the systems
system_rows as (
    select distinct system
{% if parts > 1 %}
    from (select {{ id_of(run.system) }} as system from {{ run.relation }}) as named
{% elif rankings %}
    from {{ rankings | ident }}
{% else %}
    from run_rows
{% endif %}
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
{% for column in columns if column.step == "judged_queries" %}
        {%+ if without_judgments %}cast(0 as {{ double }}){% else %}coalesce(judged.{{ column.name | ident }}, 0){% endif %} as {{ column.name | ident }},
{% endfor %}
{% for column in columns if column.step == "query_subtopics" %}
        coalesce(query_subtopics.{{ column.name | ident }}, 0) as {{ column.name | ident }},
{% endfor %}
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
        on {{ one_ranking("found", "kept", several) }}
{% endif %}
{% if asked.relation %}
    left join {{ asked.relation }} as asked
        on {% if query_set == "judged" %}judged{% else %}found{% endif %}.query_id = cast(asked.{{ asked.query_id | ident }} as {{ text }}){{ bytewise }}
{% endif %}
),
