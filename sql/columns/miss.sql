{#
text = "1 for a document judged not relevant"
rows = ["retrieved"]
depends = ["rel"]
tells_judged = true
#}
when relevance >= 0 and relevance < {{ rel | literal }}
then {{ one }}
