{#
text = "1 where the order of ties decides the place of a relevant document beside one of another relevance"
rows = ["retrieved"]
needs = ["tied_above", "tied_below"]
step = "scored"
#}
{% from "macros/ranking.sql" import is_tied %}
{{ is_tied(row_keys, deepest) }}
