{#
title = "seconds to the first click"
title_zh = "到首次点击的秒数"
better = "lower"
params = {}
reads = ["time", "click_time"]
undefined = "of impressions without a click"
summary = "mean"
formula = "time of the first click - time of the impression, in seconds; impressions without a click have none"
citation = "Radlinski, Kurup and Joachims, How does clickthrough data reflect retrieval quality?, CIKM 2008"
#}
waited
