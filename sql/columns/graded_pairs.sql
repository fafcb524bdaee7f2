{#
text = "pairs of judged documents of different relevance"
rows = ["pair"]
depends = ["weight"]
needs_with = { group_weight = { weight = "item" } }
step = "pair_rows"
#}
sum(better.{% if weight == "item" %}{{ group_weight.value }}{% else %}documents{% endif %} * worse.documents)
