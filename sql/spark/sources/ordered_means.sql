{# As sql/sources/ordered_means.sql; Spark adds in no order of its own. #}
select
{% for measure in measures %}
    aggregate(transform(array_sort(collect_list(struct(query_id, {{ measure.column | ident }} as value))), pair -> pair.value), cast(0 as double), (total, value) -> total + coalesce(value, 0)) / nullif(count({{ measure.column | ident }}), 0) as {{ measure.column | ident }}{% if not loop.last %},{% endif +%}
{% endfor %}
from {{ per_query }}
