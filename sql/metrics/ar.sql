{#
title = "average recall: the mean of the recalls at the relevant documents, 0 at those missed"
title_zh = "平均召回率（AR）：各相关文档处召回率的平均，未找到的计 0；对查询取均值即 MAR"
family = "binary"
params = { k = "cutoff", rel = 1 }
reads = ["hit", "hits", "relevant"]
range = [0, 1]
empty = ["relevant"]
summary = "mean"
parts = "sum"
aliases = { mar = {}, average_recall = {} }
formula = "sum over hits at ranks i <= k of (hits in the top i) / R, over R"
latex = '''
\text{AR@}k = \frac{1}{R} \sum_{i=1}^{k} h_i\, \frac{H_i}{R} = \frac{H_k\, (H_k + 1)}{2 R^2}
'''
citation = "Evidently AI, metric MARKMetric"
agrees = ["Evidently MAR where every list has k documents or more"]
#}
{% from "macros/ranking.sql" import each, of_query, total %}
{{ total(each(hit, hits.value, k)) }}
/ nullif({{ of_query(relevant) }} * {{ of_query(relevant) }}, 0)
