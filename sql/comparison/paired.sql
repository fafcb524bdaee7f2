-- the values of every query side by side, one column for each system and metric; a query that one system has no results
-- for is in the segment in which another has it{% if cluster %}; one without results in any system, whose cluster nobody says, is one of
-- its own{% endif +%}
with

{% include "comparison/scores.sql" %}
queries as (
    select
        query_id,
{% for segment in segments %}
        coalesce(max(segment_{{ loop.index }}), '(no results)') as segment_{{ loop.index }},
{% endfor %}
{% if cluster %}
        coalesce(max(cluster), case when max(retrieved) = 0 then 'query ' || query_id end) as cluster,
        case when max(retrieved) = 0 then 1 else 0 end as is_lone,
{% endif %}
        max(weight) as weight,
{% for system in systems %}
{% set number = loop.index0 %}
        sum(case when system = {{ system | literal }} then 1 else 0 end) as found_{{ number }},
{% for measure in measures %}
        max(case when system = {{ system | literal }} then value_{{ loop.index }} end) as value_{{ number }}_{{ loop.index }},
{% endfor %}
{% endfor %}
        {%+ if cluster %}case when min(cluster) <> max(cluster) then 1 else 0 end + {% endif %}{% for segment in segments %}case when min(segment_{{ loop.index }}) <> max(segment_{{ loop.index }}) then 1 else 0 end + {% endfor %}case when min(weight) <> max(weight) then 1 else 0 end as disagreements
    from scores
    group by query_id
)

select
    *,
    {%+ if segments %}dense_rank() over (order by {% for segment in segments %}segment_{{ loop.index }}{% if not loop.last %}, {% endif %}{% endfor %}){% else %}1{% endif %} as scope
from queries
