{#
text = "precision at a hit"
rows = ["retrieved"]
depends = ["rel"]
needs = ["hit", "hits"]
#}
when relevance >= {{ rel | literal }}
then {{ hits.value }} / rank
