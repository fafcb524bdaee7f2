{#
text = "documents with a negative judgment down to this rank"
rows = ["retrieved"]
tells_judged = true
step = "scored"
#}
sum(case when relevance < 0 then {{ one }} else 0 end) over (
    partition by {{ row_keys }}
    order by rank asc
    rows between unbounded preceding and current row
)
