{#
text = "discounted gain of the best ranking down to the cutoff"
rows = ["query"]
depends = ["gain", "discount", "ideal", "k"]
step = "ideal"
#}
