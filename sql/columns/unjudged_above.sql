{#
text = "documents without judgment right above"
rows = ["retrieved"]
tells_judged = true
step = "scored"
#}
rank - 1 - coalesce(lag(rank) over (partition by {{ row_keys }} order by rank asc), 0)
