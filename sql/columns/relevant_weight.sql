{#
text = "mean weight of the relevant judged documents"
rows = ["query"]
depends = ["rel"]
input = "item_weight"
step = "query_weights"
#}
avg(case when relevance >= {{ rel | literal }} then item_weight end)
