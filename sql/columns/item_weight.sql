{#
text = "weight of the document"
rows = ["retrieved"]
input = "item_weight"
step = "scored"
positive_only = true
#}
item_weights.item_weight
