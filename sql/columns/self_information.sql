{#
text = "-log2 of the share of users who know the document"
rows = ["shown"]
input = "history"
step = "shown_rows"
#}
ln(history_totals.users / coalesce(known_items.users, 1)) / ln(2.0)
