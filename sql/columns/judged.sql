{#
text = "1 for a judged document"
rows = ["retrieved"]
tells_judged = true
#}
when relevance is not null
then {{ one }}
