{# Texts of several rows as one, in the order of a column. #}
{% macro joined(value, place) %}string_agg({{ value }}, '' order by {{ place | ident }} asc){% endmacro %}
