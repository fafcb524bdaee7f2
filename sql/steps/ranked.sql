{% from "macros/steps.sql" import rank_in_order with context %}
-- the rank of each document
ranked as (
    select
        {{ keys }},
{% for name in ranked_columns %}
        {{ name | ident }},
{% endfor %}
{% for column in columns if column.step == "ranked" and not without_judgments %}
        {{ column.text }} as {{ column.name | ident }},
{% endfor %}
        {{ rank_in_order() }} as rank
    from {{ ranked_from }}
{% if unjudged == "remove" %}
    where relevance >= 0{% if depth %} and returned_rank <= {{ depth }}{% endif +%}
{% endif %}
),
