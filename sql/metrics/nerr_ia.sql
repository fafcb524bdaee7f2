{#
title = "intent-aware expected reciprocal rank, over that of the greedy best ranking"
title_zh = "归一化的意图感知期望倒数排名（nERR-IA）：与贪心最优排序之比"
family = "subtopics"
params = { k = "cutoff required", alpha = 0.5, rel = 1 }
reads = ["novelty", "ideal_novelty"]
range = [0, 1]
empty = ["subtopics"]
summary = "mean"
parts = "sum"
within = { alpha = [0, 1] }
formula = "sum over i <= k of G(i) / i, over that of the greedy best ranking; G as in alpha_ndcg"
latex = '''
\text{nERR-IA@}k = \frac{\sum_{i=1}^{k} G_i / i}{\sum_{i=1}^{k} G^{*}_i / i}

G_i = \sum_{x=1}^{S} c_{ix}\,(1 - \alpha)^{C_{ix}}
'''
citation = "Clarke, Craswell, Soboroff and Ashkan, A comparative analysis of cascade measures for novelty and diversity, WSDM 2011"
doi = "10.1145/1935826.1935847"
#}
{% from "macros/ranking.sql" import each, total %}
{% from "macros/whole.sql" import whole %}
{% set found %}{{ novelty.value }} / place{% endset %}
{% set best %}{{ ideal_novelty.value }} / place{% endset %}
{{ total(each(novelty, found, k)) }}
/ nullif({{ whole(each(ideal_novelty, best, k)) }}, 0)
