{% from "macros/values.sql" import json_id %}
{# One id of several columns, with a comma between them; a comma inside one is written %2C, and % itself %25. #}
{% macro id_of_columns(columns, complaint=none) %}
{% for column in columns %}
{% if not loop.first %}

        || ',' || {%+ endif %}replace(replace(cast({% if complaint %}{{ json_id(column, complaint) }}{% else %}{{ column | ident }}{% endif %} as {{ text }}), '%', '%25'), ',', '%2C')
{%- endfor %}
{% endmacro %}

{# The columns that are made of others, after those that there are. #}
{% macro given_columns(ids, relevance, computed=[]) %}
{% for id in ids %}
,
        {{ id_of_columns(id.columns, id.complaint) }} as {{ id.name | ident }}
{%- endfor %}
{% if relevance %}
,
        1 as {{ relevance | ident }}
{%- endif %}
{% for column in computed %}
,
        (
            {{ column.expression }}
        ) as {{ column.name | ident }}
{%- endfor %}
{% endmacro %}

{# What such an id has of the column of a number, from 1. #}
{% macro column_of_id(id, number) %}
replace(replace({% if nth %}{{ nth }}{{ id }}{{ nth_of_text }}{{ number }}{{ nth_end }}{% else %}{{ nth_of(id, number) }}{% endif %}, '%2C', ','), '%25', '%')
{%- endmacro %}

{# The text between two commas, for an engine without a function that splits. #}
{% macro nth_of(id, number) %}substr({{ from_nth(id, number) }}, 1, instr({{ from_nth(id, number) }}, ',') - 1){% endmacro %}
{% macro from_nth(id, number) %}
{% if number == 1 %}({{ id }} || ',')
{%- else %}substr({{ from_nth(id, number - 1) }}, instr({{ from_nth(id, number - 1) }}, ',') + 1)
{%- endif %}
{% endmacro %}
