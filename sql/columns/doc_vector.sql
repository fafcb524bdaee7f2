{#
text = "vector of the document"
rows = []
input = "vector"
step = "vectored"
#}
cast(catalogue.{{ items.vector | ident }} as {{ double }}[])
