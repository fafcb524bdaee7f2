{#
title = "novelty- and rank-biased precision, over that of the greedy best ranking"
title_zh = "归一化的兼顾新颖性的排名偏置精度（nNRBP）：与贪心最优排序之比"
family = "subtopics"
params = { alpha = 0.5, beta = 0.5, rel = 1 }
reads = ["novelty", "ideal_novelty"]
range = [0, 1]
empty = ["subtopics"]
summary = "mean"
parts = "sum"
within = { alpha = [0, 1] }
bounds = { beta = [0, 1] }
help = { beta = "persistence: the probability of going on to the next document" }
formula = "sum over i of G(i) beta^(i - 1), over that of the greedy best ranking; G as in alpha_ndcg"
latex = '''
\text{nNRBP} = \frac{\sum_{i=1}^{n} G_i\, \beta^{i-1}}{\sum_{i} G^{*}_i\, \beta^{i-1}}

G_i = \sum_{x=1}^{S} c_{ix}\,(1 - \alpha)^{C_{ix}}
'''
citation = "Clarke, Kolla and Vechtomova, An effectiveness measure for ambiguous and underspecified queries, ICTIR 2009"
doi = "10.1007/978-3-642-04417-5_17"
#}
{% from "macros/ranking.sql" import persistent, total %}
{% from "macros/whole.sql" import whole %}
{{ total(persistent(novelty, beta)) }}
/ nullif({{ whole(persistent(ideal_novelty, beta)) }}, 0)
