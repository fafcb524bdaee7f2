{# Sums whose last digits decide an order: in the order of what is summed, as threads have none. #}
{% macro sum_of_scores(score) %}list_sum(list_sort(list({{ score | ident }}))){% endmacro %}
