{# As in sql/macros/values.sql; Spark has no function for both numbers, and takes nothing from statistics
   outside of filters. #}
{% macro finite(value) -%}
coalesce(
    not isnan(try_cast({{ value }} as {{ double }}))
    and abs(try_cast({{ value }} as {{ double }})) < cast('inf' as {{ double }}), false
)
{%- endmacro %}
{% macro opaque(value) %}{{ value }}{% endmacro %}
{% macro absent(value) %}{{ value }} is null{% endmacro %}
