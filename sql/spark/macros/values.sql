{# As in sql/macros/values.sql; Spark has no function for both numbers, and takes nothing from statistics
   outside of filters. #}
{% macro finite(value) -%}
coalesce(
    not isnan(try_cast({{ value }} as {{ double }}))
    and abs(try_cast({{ value }} as {{ double }})) < cast('inf' as {{ double }}), false
)
{%- endmacro %}
{% macro opaque(value) %}{{ value }}{% endmacro %}
{% macro json_id(name, complaint) %}
case
        when {{ (name ~ " json type") | ident }} in ('STRING', 'BIGINT', 'VOID')
            or {{ name | ident }} rlike '^-?[0-9]+$'
            then {{ name | ident }}
        when {{ name | ident }} is not null
            then raise_error(concat({{ complaint | literal }}, {{ name | ident }}))
    end
{%- endmacro %}
{% macro absent(value) %}{{ value }} is null{% endmacro %}
