{#
text = "1 for a document returned"
rows = ["shown"]
step = "shown_rows"
#}
cast(1 as {{ double }})
