{# The sum over the ranking that is the same for each of its documents: what `total` is divided by. #}
{% macro whole(value) %}sum({{ value }}){% endmacro %}
