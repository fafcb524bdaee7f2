{#
title = "novelty- and rank-biased precision"
title_zh = "兼顾新颖性的排名偏置精度（NRBP）"
family = "subtopics"
params = { alpha = 0.5, beta = 0.5, rel = 1 }
reads = ["novelty", "subtopics"]
range = [0, 1]
empty = ["subtopics"]
summary = "mean"
parts = "sum"
within = { alpha = [0, 1] }
bounds = { beta = [0, 1] }
help = { beta = "persistence: the probability of going on to the next document" }
formula = "(1 - (1 - alpha) beta) / S * sum over i of G(i) beta^(i - 1), S subtopics; G as in alpha_ndcg"
latex = '''
\text{NRBP} = \frac{1 - (1 - \alpha)\, \beta}{S} \sum_{i=1}^{n} G_i\, \beta^{i-1}

G_i = \sum_{x=1}^{S} c_{ix}\,(1 - \alpha)^{C_{ix}}
'''
citation = "Clarke, Kolla and Vechtomova, An effectiveness measure for ambiguous and underspecified queries, ICTIR 2009"
doi = "10.1007/978-3-642-04417-5_17"
#}
{% from "macros/ranking.sql" import of_query, persistent, total %}
(1 - {{ ((1 - alpha) * beta) | literal }}) * {{ total(persistent(novelty, beta)) }}
/ nullif({{ of_query(subtopics) }}, 0)
