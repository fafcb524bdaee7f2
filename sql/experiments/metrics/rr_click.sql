{#
title = "reciprocal position of the first click"
title_zh = "首次点击位置的倒数"
better = "higher"
params = {}
range = [0, 1]
summary = "mean"
formula = "1 / position of the first document that was clicked, 0 if none was"
citation = "Radlinski, Kurup and Joachims, How does clickthrough data reflect retrieval quality?, CIKM 2008"
#}
coalesce(1e0 / first_click, 0)
