{#
text = "documents returned"
rows = ["query"]
step = "query_rows"
#}
