{#
text = "place in the baseline run, 0 where it does not stand there"
rows = ["shown"]
input = "baseline"
step = "shown_rows"
#}
cast(coalesce(baseline_ranks.rank, 0) as {{ double }})
