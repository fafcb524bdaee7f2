{#
title = "clicks per impression"
title_zh = "每次展示的点击数"
better = "higher"
params = {}
summary = "mean"
formula = "documents of the impression that were clicked"
citation = "Radlinski, Kurup and Joachims, How does clickthrough data reflect retrieval quality?, CIKM 2008"
#}
clicks
