{#
text = "gain at this place of the best ranking"
rows = ["ideal"]
depends = ["gain", "ideal", "weight"]
step = "ideal"
#}
