{#
title = "position of the first click"
title_zh = "首次点击的位置"
better = "lower"
params = {}
undefined = "of impressions without a click"
summary = "mean"
formula = "position of the first document that was clicked; impressions without a click have none"
citation = "Kohavi, Tang and Xu, Trustworthy Online Controlled Experiments, 2020"
#}
first_click
