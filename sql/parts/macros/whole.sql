{# The same where the rows of each place are summed apart. #}
{% macro whole(value) %}sum(sum({{ value }})) over ranking{% endmacro %}
