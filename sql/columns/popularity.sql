{#
text = "rows of the history about the document"
rows = ["shown"]
input = "history"
step = "shown_rows"
#}
coalesce(known_items.interactions, cast(0 as {{ double }}))
