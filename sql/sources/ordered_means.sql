{# In the order of the ids, as trec_eval adds: where a mean is half of the last digit that is printed, that decides. #}
select
{% for measure in measures %}
    sum({{ measure.column | ident }} order by query_id asc) / nullif(count({{ measure.column | ident }}), 0) as {{ measure.column | ident }}{% if not loop.last %},{% endif +%}
{% endfor %}
from {{ per_query }}
