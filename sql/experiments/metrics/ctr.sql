{#
title = "clicks per document shown"
title_zh = "点击率：点击数与展示文档数之比"
better = "higher"
params = {}
range = [0, 1]
summary = "mean"
formula = "clicks of the impression / documents that it showed"
citation = "Kohavi, Tang and Xu, Trustworthy Online Controlled Experiments, 2020"
#}
cast(clicks as double) / shown
