{# What is averaged of a query: its value, or the logarithm of that for a geometric mean. #}
{% macro term_of(measure) %}
{% if measure.kind == "geometric" %}ln(case when {{ measure.column | ident }} < 0.00001 then 0.00001 else {{ measure.column | ident }} end)
{%- else %}{{ measure.column | ident }}
{%- endif %}
{% endmacro %}
