{#
text = "1 for a document with a vector"
rows = ["vector"]
needs = ["doc_vector"]
step = "vector_rows"
#}
cast(1 as {{ double }})
