{#
text = "weight of the document of a subtopic"
rows = []
input = "item_weight"
step = "covered_subtopics"
#}
item_weights.item_weight
