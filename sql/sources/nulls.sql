{# Documents without id in the queries that are suspected. #}
{% from "macros/values.sql" import absent %}
select sum(case when {{ absent("doc_id" | ident) }} then 1 else 0 end) as findings
from {{ relation }}
{% if suspects %}
where cast(query_id as {{ text }}) in (
{%- for query in suspects %}{{ query | literal }}{% if not loop.last %}, {% endif %}{% endfor -%}
)
{% endif %}
