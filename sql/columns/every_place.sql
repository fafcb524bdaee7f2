{#
text = "1 for each place down to the cutoff"
rows = ["place"]
step = "place_rows"
#}
cast(1 as {{ double }})
