-- the per-query rows with the values that they have where every document returned without a judgment is relevant
select
    by_query.system,
    by_query.query_id,
{% for segment in segments %}
    by_query.{{ segment.alias | ident }},
{% endfor %}
{% if weighted %}
    by_query.weight,
{% endif %}
{% for measure in measures %}
    completed.{{ measure.column | ident }}{% if not loop.last %},{% endif +%}
{% endfor %}
from {{ per_query }} as by_query
inner join {{ completed }} as completed
    on by_query.system = completed.system and by_query.query_id = completed.query_id
