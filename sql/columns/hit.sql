{#
text = "1 for a relevant document"
rows = ["retrieved"]
depends = ["rel"]
positive_only = true
#}
when relevance >= {{ rel | literal }}
then {{ one }}
