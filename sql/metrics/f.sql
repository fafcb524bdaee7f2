{#
title = "F measure: harmonic mean of precision and recall at k"
title_zh = "F 值：前 k 个结果的精确率与召回率的调和平均"
family = "binary"
params = { k = "cutoff required", rel = 1, beta = 1 }
reads = ["hit", "relevant"]
range = [0, 1]
empty = ["relevant"]
summary = "mean"
linear = true
effect = "places"
aliases = { f1 = {} }
uncut = { f1 = "set_f" }
bounds = { beta = [0] }
formula = "(1 + beta^2) P R / (beta^2 P + R), with P = hits / k and R = hits / relevant"
latex = '''
\text{F@}k = \frac{(1 + \beta^2)\; \text{P@}k \cdot \text{Recall@}k}{\beta^2\; \text{P@}k + \text{Recall@}k} = \frac{(1 + \beta^2)\, H_k}{\beta^2 R + k}
'''
citation = "van Rijsbergen, Information Retrieval, 2nd edition, 1979"
#}
{% from "macros/ranking.sql" import at, number, of_query, total %}
{{ (1 + beta * beta) | literal }} * {{ number(total(at(hit, k))) }}
/ ({{ (beta * beta) | literal }} * {{ number(of_query(relevant)) }} + {{ k }})
