select
    query_id,
    sqlrank_retrieved,
{% for measure in measures %}
    {{ measure.column | ident }}{% if not loop.last %},{% endif %}

{% endfor %}
from {{ per_query }}
order by query_id
