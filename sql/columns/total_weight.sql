{#
text = "sum of the weights of the relevant judged documents"
rows = ["query"]
depends = ["rel"]
input = "item_weight"
step = "query_weights"
#}
sum(case when relevance >= {{ rel | literal }} then item_weight else 0 end)
