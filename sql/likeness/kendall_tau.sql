{#
title = "Kendall's tau-b over the documents that both rankings hold"
title_zh = "肯德尔等级相关系数（tau-b）：两个排序共有的文档之间"
family = "likeness"
params = {}
reads = ["above", "above_in_baseline", "above_in_either", "swapped"]
range = [-1, 1]
summary = "mean"
undefined = "both hold fewer than two of the same documents, or one of them gives all of these one score"
formula = "(pairs in the same order - pairs in the other order) / sqrt(pairs with different scores in one * pairs with different scores in the other)"
in_words = true
latex = '''
\tau_b = \frac{\sum_{i < j} \operatorname{sgn}(a_i - a_j)\, \operatorname{sgn}(b_i - b_j)}{\sqrt{\sum_{i < j} [a_i \ne a_j] \cdot \sum_{i < j} [b_i \ne b_j]}}
'''
citation = "Kendall, The treatment of ties in ranking problems, Biometrika 33(3), 1945"
doi = "10.1093/biomet/33.3.239"
agrees = ["scipy.stats.kendalltau with variant=b"]
#}
{# Pairs that differ in both are those that differ in one, and those that differ in the other, less those in either. #}
{% from "macros/ranking.sql" import at, total %}
({{ total(at(above)) }} + {{ total(at(above_in_baseline)) }} - {{ total(at(above_in_either)) }} - 2 * {{ total(at(swapped)) }})
/ nullif(sqrt({{ total(at(above)) }} * {{ total(at(above_in_baseline)) }}), 0)
