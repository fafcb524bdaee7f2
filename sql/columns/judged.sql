{#
text = "1 for a judged document"
rows = ["retrieved"]
#}
when relevance is not null
then {{ one }}
