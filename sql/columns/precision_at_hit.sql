{#
text = "precision at a hit"
rows = ["retrieved"]
depends = ["rel", "weight"]
needs = ["hit", "hits"]
needs_with = { item_weight = { weight = "item" } }
positive_only = true
#}
when relevance >= {{ rel | literal }}
then {{ hits.value }} / rank{% if weight == "item" %} * {{ item_weight.value }}{% endif %}
