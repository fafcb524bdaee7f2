{#
title = "precision: the share of the first k that is relevant"
title_zh = "精确率：前 k 个结果中相关文档的占比"
family = "binary"
params = { k = "cutoff required", rel = 1, norm = ["k", "returned"] }
reads = ["hit", "retrieved"]
reads_with = { retrieved = { norm = "returned" } }
range = [0, 1]
empty = ["relevant"]
summary = "mean"
rises = true
linear = true
effect = "places"
effect_with = { norm = ["k"] }
aliases = { precision = {} }
uncut = { precision = "set_p" }
help = { norm = "divided by: k, or returned (the smaller of k and the documents returned)" }
formula = "hits in the top k, over k"
latex = '''
\text{P@}k = \frac{H_k}{k}

\text{norm=returned:}\ \ k \to K
'''
citation = "Cleverdon and Keen, Factors determining the performance of indexing systems, 1966"
agrees = ["Elasticsearch precision with norm=returned"]
#}
{% from "macros/ranking.sql" import at, of_query, smaller, total %}
{% if norm == "returned" %}
{{ total(at(hit, k)) }} / nullif({{ smaller(of_query(retrieved), k) }}, 0)
{% else %}
{{ total(at(hit, k)) }} / {{ k }}
{% endif %}
