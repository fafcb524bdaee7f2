{# Outside its ANSI mode Spark makes a null of a text that is no number. #}
{% macro refused(condition, message) %}case when {{ condition }} then cast(raise_error({{ message | literal }}) as int) else 0 end{% endmacro %}
