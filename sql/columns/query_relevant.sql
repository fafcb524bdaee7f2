{#
text = "the query's relevant documents, beside each document"
rows = ["retrieved"]
depends = ["rel"]
needs = ["relevant"]
#}
{{ relevant.name | ident }}
