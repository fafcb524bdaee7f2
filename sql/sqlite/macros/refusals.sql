{# SQLite makes 0 of a text that is no number; of a path that is none it says what stands there. #}
{% macro refused(condition, message) %}coalesce(json_extract('0', case when {{ condition }} then {{ message | literal }} else '$' end), 0){% endmacro %}
