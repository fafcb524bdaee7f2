{#
text = "documents of the history"
rows = []
input = "history"
step = "history"
#}
cast(count(*) over () as {{ double }})
