{#
text = "mean weight of the judged documents, each by its gain"
rows = ["query"]
depends = ["gain"]
input = "item_weight"
step = "query_weights"
#}
{% from "macros/ranking.sql" import gain_of %}
sum(item_weight * {{ gain_of(gain) }}) / nullif(sum({{ gain_of(gain) }}), 0)
