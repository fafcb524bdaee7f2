{% from "macros/keys.sql" import with_ideal with context %}
from judged
left join ranked on judged.query_id = ranked.query_id and judged.doc_id = ranked.doc_id{% if limit %} and ranked.rank <= {{ limit }}{% endif +%}
{% for ideal in ideals %}
{{ with_ideal(rows, ideal) }}
{% endfor %}
