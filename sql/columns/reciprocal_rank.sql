{#
text = "1 / rank at a hit"
rows = ["retrieved"]
depends = ["rel"]
needs = ["hit"]
#}
when relevance >= {{ rel | literal }}
then {{ one }} / rank
