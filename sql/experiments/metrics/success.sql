{#
title = "share of impressions with a click"
title_zh = "成功率：有点击的展示占比"
better = "higher"
params = {}
range = [0, 1]
summary = "mean"
formula = "1 if any document of the impression was clicked, else 0"
citation = "Kohavi, Tang and Xu, Trustworthy Online Controlled Experiments, 2020"
#}
case when clicks > 0 then 1 else 0 end
