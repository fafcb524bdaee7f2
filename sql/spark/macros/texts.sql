{# Texts of several rows as one, in the order of a column. #}
{% macro joined(value, place) %}listagg({{ value }}, '') within group (order by {{ place | ident }} asc){% endmacro %}
