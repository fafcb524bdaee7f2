{% from "macros/ids.sql" import column_of_id %}
{% set query %}query_id{% endset %}
-- both values of every query and their difference, for each candidate and metric
with

{% set more = false %}
{% if sides %}
{% include "comparison/arms/differences.sql" %}
{% else %}
{% include "comparison/differences.sql" %}
{% endif %}
select
    system,
    baseline,
    metric,
    query_id,
{% for column in id_columns %}
    {{ column_of_id(query, column.number) }} as {{ column.name | ident }},
{% endfor %}
{% for segment in segments %}
    segment_{{ loop.index }} as {{ segment | ident }},
{% endfor %}
{% if weighted %}
    {%+ if sides %}baseline_weight,
    {% endif %}weight,
{% endif %}
    baseline_value,
    value,
    difference
from differences
order by pair asc, query_id asc
