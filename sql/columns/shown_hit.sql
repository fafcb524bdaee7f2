{#
text = "1 for a relevant document, next to others shown"
rows = ["shown"]
depends = ["rel"]
step = "shown_rows"
judged = true
#}
cast(case when judged.relevance >= {{ rel | literal }} then 1 else 0 end as {{ double }})
