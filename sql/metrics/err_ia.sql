{#
title = "intent-aware expected reciprocal rank, over its upper bound"
title_zh = "意图感知的期望倒数排名（ERR-IA），除以其上界"
family = "subtopics"
params = { k = "cutoff required", alpha = 0.5, rel = 1 }
reads = ["novelty", "every_place", "subtopics"]
range = [0, 1]
empty = ["subtopics"]
summary = "mean"
parts = "sum"
within = { alpha = [0, 1] }
formula = "sum over i <= k of G(i) / i, over S times the sum of (1 - alpha)^(i - 1) / i, S subtopics; G as in alpha_ndcg"
latex = '''
\text{ERR-IA@}k = \frac{\sum_{i=1}^{k} G_i / i}{S \sum_{i=1}^{k} (1 - \alpha)^{i-1} / i}

G_i = \sum_{x=1}^{S} c_{ix}\,(1 - \alpha)^{C_{ix}}
'''
citation = "Clarke, Craswell, Soboroff and Ashkan, A comparative analysis of cascade measures for novelty and diversity, WSDM 2011"
doi = "10.1145/1935826.1935847"
#}
{% from "macros/ranking.sql" import each, of_query, total %}
{% from "macros/whole.sql" import whole %}
{% set most %}{{ every_place.value }} / place * power({{ (1 - alpha) | literal }}, place - 1){% endset %}
{% set found %}{{ novelty.value }} / place{% endset %}
{{ total(each(novelty, found, k)) }}
/ nullif({{ of_query(subtopics) }} * {{ whole(each(every_place, most, k)) }}, 0)
