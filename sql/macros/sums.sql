{# Sums whose last digits decide an order. #}
{% macro sum_of_scores(score) %}sum({{ score | ident }}){% endmacro %}
