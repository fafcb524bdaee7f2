{#
text = "precision at a hit"
rows = ["retrieved"]
depends = ["rel"]
needs = ["hit", "hits"]
positive_only = true
#}
when relevance >= {{ rel | literal }}
then {{ hits.value }} / rank
