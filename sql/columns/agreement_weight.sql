{#
text = "weight of all depths"
rows = ["agreed"]
depends = ["p"]
needs = ["agreement"]
step = "agreed_rows"
#}
