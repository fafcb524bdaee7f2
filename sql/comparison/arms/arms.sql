-- the values of the queries that each system has of its own, and the unit of each: {% if cluster %}its cluster, or itself where nothing was returned and
-- nobody says which{% else %}the query{% endif +%}
with

{% include "comparison/scores.sql" %}
units as (
    select
        system,
        query_id,
        day,
        {%+ if cluster %}coalesce(cluster, case when retrieved = 0 then 'query ' || query_id end){% else %}query_id{% endif %} as unit,
{% if crossing %}
        coalesce(crossing, 'query ' || query_id) as crossing,
{% endif %}
{% for segment in segments %}
        coalesce(segment_{{ loop.index }}, '(no results)') as segment_{{ loop.index }},
{% endfor %}
{% for measure in measures %}
        value_{{ loop.index }},
{% endfor %}
        weight
    from scores
)

select
    *,
{% if weighted %}
    weight / nullif(max(weight) over (partition by system), 0) as total_weight,
    weight / nullif(max(weight) over (partition by system{% for segment in segments %}, segment_{{ loop.index }}{% endfor %}), 0) as scope_weight,
{% endif %}
    {%+ if segments %}dense_rank() over (order by {% for segment in segments %}segment_{{ loop.index }}{% if not loop.last %}, {% endif %}{% endfor %}){% else %}1{% endif %} as scope
from units
