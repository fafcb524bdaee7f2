-- the queries of all systems side by side, each with its mean where it has several rows
with

queries as (
    select
        query_id,
{% for segment in segments %}
        max(segment_{{ loop.index }}) as segment_{{ loop.index }},
{% endfor %}
{% if cluster %}
        max(unit) as cluster,
{% endif %}
{% for system in systems %}
{% set number = loop.index0 %}
{% for measure in measures %}
        avg(case when system = {{ system | literal }} then value_{{ loop.index }} end) as value_{{ number }}_{{ loop.index }},
{% endfor %}
{% endfor %}
        max(weight) as weight
    from {{ arms }}
    group by query_id
)

select
    *,
    {%+ if segments %}dense_rank() over (order by {% for segment in segments %}segment_{{ loop.index }}{% if not loop.last %}, {% endif %}{% endfor %}){% else %}1{% endif %} as scope
from queries
