{#
text = "relevant documents of a subtopic"
rows = []
depends = ["rel"]
input = "subtopic"
step = "subtopic_totals"
#}
cast(sum(case when relevance >= {{ rel | literal }} then 1 else 0 end) as {{ double }})
