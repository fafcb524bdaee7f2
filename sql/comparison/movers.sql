-- the queries that moved most, for each candidate and metric
with

{% set more = true %}
{% include "comparison/differences.sql" %}
moved as (
    select
        *,
        row_number() over (partition by pair{% if apart %}, difference > 0{% endif %} order by abs(difference) desc, query_id) as place
    from differences
    where difference {% if side == "above" %}>{% elif side == "below" %}<{% else %}<>{% endif %} 0 and total_weight > 0
)

select
    system,
{% if all_pairs %}
    baseline,
{% endif %}
    metric,
    place,
    query_id,
{% for segment in segments %}
    segment_{{ loop.index }} as {{ segment | ident }},
{% endfor %}
{% if titles %}
    titles.title as query,
{% endif %}
    baseline_value,
    value,
    difference
from moved
{% if titles %}
left join {{ titles }} as titles
    on moved.query_id = titles.id
{% endif %}
{% if most %}
where place <= {{ most }}
{% endif %}
order by pair asc, place asc
