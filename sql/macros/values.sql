{# How a check looks at a value. A comparison such as `value < 5`, and `value is null` too, may be answered from the
   statistics of a file: writers leave NaN out of them, and a damaged footer says anything. Functions ask the value, and
   of what a union holds DuckDB knows nothing beforehand; neither copies it. #}
{% macro opaque(value) %}union_value(own := {{ value }}).own{% endmacro %}
{% macro finite(value) %}(isfinite(try_cast({{ value }} as {{ double }})) is not distinct from true){% endmacro %}
{# A value that is there and is no whole number from 0 on. #}
{% macro no_count(value) -%}
(not {{ absent(value) }} and not ({{ finite(value) }} and try_cast({{ value }} as {{ double }}) >= 0 and try_cast({{ value }} as {{ double }}) = floor(try_cast({{ value }} as {{ double }}))))
{%- endmacro %}
{% macro json_id(name, complaint) %}
case
        when {{ (name ~ " json type") | ident }} in ('VARCHAR', 'BIGINT', 'UBIGINT', 'NULL')
            or regexp_full_match({{ name | ident }}, '-?[0-9]+')
            then {{ name | ident }}
        when {{ name | ident }} is not null
            then error({{ complaint | literal }} || {{ name | ident }})
    end
{%- endmacro %}
{% macro absent(value) %}{{ opaque(value) }} is null{% endmacro %}
