{#
text = "1 where the order of ties decides the place of a relevant document next to one of another relevance"
step = "ranked"
#}
{% from "macros/ranking.sql" import is_tied %}
{% from "macros/steps.sql" import in_order, rank_in_order with context %}
{{ is_tied(in_order(), rank_in_order(), deepest) }}
