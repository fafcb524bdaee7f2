{#
text = "weight of the depths at which both rankings hold the document"
rows = ["agreed"]
depends = ["p"]
needs = ["gainful", "retrieved"]
step = "agreed_rows"
#}
