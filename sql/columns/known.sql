{#
text = "1 for a document that stands in the history"
rows = ["shown"]
input = "history"
step = "shown_rows"
#}
case when known_items.interactions is null then 0 else cast(1 as {{ double }}) end
