{#
text = "the query's documents judged not relevant, next to each"
rows = ["retrieved"]
depends = ["rel"]
needs = ["nonrelevant"]
step = "scored"
#}
query_rows.{{ nonrelevant.name | ident }}
