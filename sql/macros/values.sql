{# How a check looks at a value. A comparison such as `value < 5`, and `value is null` too, may be answered from the
   statistics of a file: writers leave NaN out of them, and a damaged footer says anything. Functions ask the value. #}
{% macro finite(value) %}coalesce(isfinite(try_cast({{ value }} as {{ double }})), false){% endmacro %}
{% macro absent(value) %}list_value({{ value }})[1] is null{% endmacro %}
