{#
text = "the query's relevant documents, next to each document"
rows = ["retrieved"]
depends = ["rel"]
needs = ["relevant"]
step = "scored"
positive_only = true
#}
query_rows.{{ relevant.name | ident }}
