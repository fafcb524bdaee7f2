{# As in sql/macros/created.sql. #}
{% macro created(name, loaded=true) %}
{% if loaded %}cache lazy table {{ name | ident }} options ('storageLevel' 'MEMORY_AND_DISK')
{%- else %}create or replace temporary view {{ name | ident }}
{%- endif %}
{% endmacro %}
