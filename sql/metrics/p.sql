{#
title = "precision: the share of the first k that is relevant"
title_zh = "精确率：前 k 个结果中相关文档的占比"
family = "binary"
params = { k = "cutoff required", rel = 1, norm = ["k", "returned"], weight = ["none", "item"] }
reads = ["hit", "retrieved", "relevant_weight"]
reads_with = { relevant_weight = { weight = "item" }, retrieved = { norm = "returned" } }
range = [0, 1]
empty = ["relevant"]
summary = "mean"
rises = true
rises_with = { weight = ["none"] }
linear = true
effect = "places"
effect_with = { norm = ["k"], weight = ["none"] }
aliases = { precision = {} }
uncut = { precision = "set_p" }
turns = { p = { "norm=min" = "recall" }, precision = { "norm=min" = "recall" } }
help = { weight = "what weighs a query in the mean: none, or item (the mean item_weight of its relevant documents)", norm = "divided by: k, or returned (the smaller of k and the documents returned)" }
formula = "hits in the top k, over k"
latex = '''
\text{P@}k = \frac{H_k}{k}

\text{norm=returned:}\ \ k \to K
'''
citation = "Cleverdon and Keen, Factors determining the performance of indexing systems, 1966"
agrees = ["Elasticsearch precision with norm=returned"]
#}
{% from "macros/ranking.sql" import at, of_query, smaller, total %}
{% if weighing %}
{{ of_query(relevant_weight) }}
{% else %}
{% if norm == "returned" %}
{{ total(at(hit, k)) }} / nullif({{ smaller(of_query(retrieved), k) }}, 0)
{% else %}
{{ total(at(hit, k)) }} / {{ k }}
{% endif %}
{% endif %}
