{#
text = "the same summed over the ideal ranking with itself"
rows = ["agreed"]
depends = ["p"]
needs = ["agreement"]
step = "agreed_rows"
#}
