{# The first so many values of a column, in order. DuckDB's heap holds fewer than a million: more are sorted. #}
{% macro smallest(value, most) %}{% if most < 1000000 %}min({{ value }}, {{ most }}){% else %}list({{ value }} order by {{ value }} asc) filter (where {{ value }} is not null){% endif %}{% endmacro %}
{% macro largest(value, most) %}{% if most < 1000000 %}max({{ value }}, {{ most }}){% else %}list({{ value }} order by {{ value }} desc) filter (where {{ value }} is not null){% endif %}{% endmacro %}
