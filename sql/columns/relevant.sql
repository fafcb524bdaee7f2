{#
text = "relevant judged documents of the query"
rows = ["query"]
depends = ["rel"]
step = "judged_queries"
#}
sum(case when relevance >= {{ rel | literal }} then {{ one }} else 0 end)
