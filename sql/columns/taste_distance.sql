{#
text = "mean cosine distance to the documents that the query knows"
rows = ["taste"]
needs = ["doc_vector"]
input = "history"
step = "taste_rows"
#}
avg(list_cosine_distance(vectored.doc_vector, known_vectors.doc_vector))
