{# The order of charts: the total of a metric before its segments. #}
{% macro in_order(keys, metrics, of="") %}
{% set prefix %}{% if of %}{{ of | ident }}.{% endif %}{% endset %}
{{ prefix }}system, {% if "of_segment" in keys %}{{ prefix }}of_segment, {% endif %}{% for name in keys %}{% if name not in ("system", "of_segment", "metric") %}{{ prefix }}{{ name | ident }}, {% endif %}{% endfor %}case {{ prefix }}metric{% for text in metrics %} when {{ text | literal }} then {{ loop.index }}{% endfor %} end, {{ prefix }}direction
{%- endmacro %}
