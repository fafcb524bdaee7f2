{# How a check looks at a value. A comparison such as `value < 5`, and `value is null` too, may be answered from the
   statistics of a file: writers leave NaN out of them, and a damaged footer says anything. Functions ask the value, and
   of what a union holds DuckDB knows nothing beforehand; neither copies it. #}
{% macro opaque(value) %}union_value(own := {{ value }}).own{% endmacro %}
{% macro finite(value) %}(isfinite(try_cast({{ value }} as {{ double }})) is not distinct from true){% endmacro %}
{% macro absent(value) %}{{ opaque(value) }} is null{% endmacro %}
