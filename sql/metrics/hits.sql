{#
title = "number of relevant documents in the first k"
title_zh = "命中数：前 k 个结果中相关文档的个数"
family = "binary"
params = { k = "cutoff", rel = 1 }
reads = ["hit"]
summary = "mean"
rises = true
linear = true
effect = "places"
formula = "documents in the top k with a relevance of at least rel; the mean over queries"
latex = '''
\text{Hits@}k = H_k = \sum_{i=1}^{k} h_i
'''
citation = "Bassani, ranx: a blazing-fast Python library for ranking evaluation and comparison, ECIR 2022"
doi = "10.1007/978-3-030-99739-7_30"
#}
{% from "macros/ranking.sql" import at, number, total %}
{{ number(total(at(hit, k))) }}
