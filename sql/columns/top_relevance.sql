{#
text = "largest relevance of the query"
rows = ["query"]
step = "judged_queries"
#}
max(relevance)
