select
    query_id,
    sqlrank_retrieved,
{% for measure in measures %}
    {{ measure.column | ident }}{% if not loop.last %},{% endif +%}
{% endfor %}
from {{ per_query }}
{% if query is not none %}
where
    query_id = {{ query | literal }}
    and system = {{ shown_system | literal }}
{% endif %}
order by query_id asc
