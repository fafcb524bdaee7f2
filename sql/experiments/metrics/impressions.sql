{#
title = "impressions per unit"
title_zh = "每个单位的展示数"
better = "neither"
params = {}
summed = true
summary = "mean"
formula = "impressions of the unit"
citation = "Kohavi, Tang and Xu, Trustworthy Online Controlled Experiments, 2020"
#}
1
