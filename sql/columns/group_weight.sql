{#
text = "sum of the weights of judged documents of equal score and relevance"
rows = []
input = "item_weight"
step = "graded_groups"
#}
sum(item_weights.item_weight)
