select
    system,
    query_id,
{% for segment in segments %}
    {{ segment.alias | ident }},
{% endfor %}
{% for measure in measures %}
    {{ measure.column | ident }}{% if not loop.last %},{% endif %}

{% endfor %}
from {{ per_query }}
order by list_position({{ systems | literal }}, system), system, query_id
