{#
title = "share of impressions without a click"
title_zh = "放弃率：没有点击的展示占比"
better = "lower"
params = {}
range = [0, 1]
summary = "mean"
formula = "1 if no document of the impression was clicked, whatever the signal, else 0"
citation = "Radlinski, Kurup and Joachims, How does clickthrough data reflect retrieval quality?, CIKM 2008"
#}
1 - was_clicked
