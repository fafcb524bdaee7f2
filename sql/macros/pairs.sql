{# Shares of pairs that are in order. #}
{% from "macros/ranking.sql" import of_query %}

{# The share of the pairs, and what stands for it in a query that has results and no pair. #}
{% macro of_pairs(won, pairs, pairless, retrieved) %}
{% if pairless == "undefined" %}
{{ won }}
/ nullif({{ pairs }}, 0)
{% else %}
coalesce(
    {{ won }}
    / nullif({{ pairs }}, 0),
    case when {{ of_query(retrieved) }} > 0 then {{ {"zero": 0, "half": 0.5, "one": 1}[pairless] | literal }} else 0 end
)
{% endif %}
{% endmacro %}
