{#
text = "1 for a relevant document"
rows = ["retrieved"]
depends = ["rel"]
#}
when relevance >= {{ rel | literal }}
then {{ one }}
