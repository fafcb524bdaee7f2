{% from "macros/keys.sql" import with_ideal with context %}
from judged_queries
left join scored on judged_queries.query_id = scored.query_id
{% for ideal in ideals %}
{{ with_ideal(rows, ideal) }}
{% endfor %}
{% for join in joins.judged_queries %}
{% include join %}
{% endfor %}
