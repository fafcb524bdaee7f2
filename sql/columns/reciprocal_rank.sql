{#
text = "1 / rank at a hit"
rows = ["retrieved"]
depends = ["rel"]
needs = ["hit"]
positive_only = true
#}
when relevance >= {{ rel | literal }}
then {{ one }} / rank
