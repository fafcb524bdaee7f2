{#
text = "documents of the query judged not relevant"
rows = ["query"]
depends = ["rel"]
step = "judged_queries"
#}
sum(case when relevance >= 0 and relevance < {{ rel | literal }} then {{ one }} else 0 end)
