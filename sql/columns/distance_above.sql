{#
text = "sum of the cosine distances to the documents above"
rows = ["vector"]
needs = ["doc_vector"]
step = "vector_rows"
#}
coalesce(sum(list_cosine_distance(document.doc_vector, earlier.doc_vector)), 0)
