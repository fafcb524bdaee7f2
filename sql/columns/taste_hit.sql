{#
text = "the same of a relevant document"
rows = ["taste"]
depends = ["rel"]
needs = ["doc_vector"]
input = "history"
step = "taste_rows"
judged = true
#}
avg(list_cosine_distance(vectored.doc_vector, known_vectors.doc_vector))
* max(cast(case when judged.relevance >= {{ rel | literal }} then 1 else 0 end as {{ double }}))
