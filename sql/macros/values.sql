{# How a check looks at a value. A comparison such as `value < 5` may be answered from the statistics of a file, from
   which writers leave out NaN: whether a number is one is therefore asked of the value itself, by a function. #}
{% macro finite(value) %}coalesce(isfinite(try_cast({{ value }} as {{ double }})), false){% endmacro %}
