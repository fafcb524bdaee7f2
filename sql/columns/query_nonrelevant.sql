{#
text = "the query's documents judged not relevant, beside each"
rows = ["retrieved"]
depends = ["rel"]
needs = ["nonrelevant"]
step = "scored"
#}
query_rows.{{ nonrelevant.name | ident }}
