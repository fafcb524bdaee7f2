select
    system,
{% if compared_with is not none %}
    {{ compared_with | literal }} as baseline,
{% endif %}
    query_id,
{% for column in id_columns %}
    {{ column.name | ident }},
{% endfor %}
{% for segment in segments %}
    {{ segment.alias | ident }},
{% endfor %}
{% if weighted %}
    weight,
{% endif %}
{% for measure in measures %}
    {{ measure.column | ident }}{% if retrieved or not loop.last %},{% endif +%}
{% endfor %}
{% if retrieved %}
    {{ retrieved | ident }}
{% endif %}
from {{ per_query }}
order by
{% if systems | length > 1 %}
    case system{% for name in systems %} when {{ name | literal }} then {{ loop.index }}{% endfor %} end,
{% endif %}
    system,
    query_id
