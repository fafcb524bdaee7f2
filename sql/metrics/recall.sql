{#
title = "recall: the share of the relevant documents that is in the first k"
title_zh = "召回率：相关文档出现在前 k 个结果中的占比"
family = "binary"
params = { k = "cutoff required", rel = 1, norm = ["relevant", "min"], weight = ["none", "item"] }
reads = ["hit", "relevant", "relevant_weight"]
reads_with = { relevant_weight = { weight = "item" } }
range = [0, 1]
empty = ["relevant"]
summary = "mean"
linear = true
effect = "places"
effect_with = { weight = ["none"] }
aliases = { r = {}, relative_p = { norm = "min" } }
help = { weight = "what weighs a query in the mean: none, or item (the mean item_weight of its relevant documents)", norm = "divided by: relevant (all relevant documents, R) or min (the smaller of R and k)" }
formula = "hits in the top k, over R"
latex = '''
\text{Recall@}k = \frac{H_k}{R}

\text{norm=min:}\ \ R \to \min(R, k)
'''
citation = "Cleverdon and Keen, Factors determining the performance of indexing systems, 1966"
agrees = ["BEIR R_cap with norm=min"]
#}
{% from "macros/ranking.sql" import at, of_query, smaller, total %}
{% if weighing %}
{{ of_query(relevant_weight) }}
{% else %}
{% if norm == "min" %}
{{ total(at(hit, k)) }} / nullif({{ smaller(of_query(relevant), k) }}, 0)
{% else %}
{{ total(at(hit, k)) }} / nullif({{ of_query(relevant) }}, 0)
{% endif %}
{% endif %}
