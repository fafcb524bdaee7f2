{#
text = "rows of the history"
rows = ["shown"]
input = "history"
step = "shown_rows"
#}
history_totals.interactions
