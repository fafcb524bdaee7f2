{#
text = "log2 of the number of users"
rows = ["shown"]
input = "history"
step = "shown_rows"
#}
ln(history_totals.users) / ln(2.0)
