{% from "macros/values.sql" import opaque %}
{# What a cell of labels is worth: by a map of words, by the words for yes and no, or as the number that it is. #}
{% macro worth_of(column) -%}
{% if column.form == "map" -%}
case cast({{ column.name | ident }} as {{ text }})
{%- for label, number in column.labels %} when {{ label | literal }} then {{ number | literal }}{% endfor %}
 else cast({{ column.name | ident }} as {{ text }}) end
{%- elif column.form == "label" -%}
case when lower({{ column.name | ident }}) in ('true', 't') then '1' when lower({{ column.name | ident }}) in ('false', 'f') then '0' else {{ column.name | ident }} end
{%- elif column.form == "number" -%}
cast({{ opaque(column.name | ident) }} as double)
{%- else -%}
{{ column.name | ident }}
{%- endif %}
{%- endmacro %}
