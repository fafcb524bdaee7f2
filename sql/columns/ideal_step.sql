{#
text = "1 at the last place of each gain of the best ranking"
rows = ["ideal"]
depends = ["gain", "ideal"]
needs = ["ideal_gain"]
step = "ideal"
#}
