{#
title = "share of impressions whose first document was clicked"
title_zh = "首位点击率：第一位文档被点击的展示占比"
better = "higher"
params = {}
range = [0, 1]
summary = "mean"
formula = "1 if the document at position 1 was clicked, else 0"
citation = "Kohavi, Tang and Xu, Trustworthy Online Controlled Experiments, 2020"
#}
case when first_click = 1 then 1 else 0 end
