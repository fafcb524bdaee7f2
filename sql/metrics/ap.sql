{#
title = "average precision: the mean of the precisions at the relevant documents"
title_zh = "平均精度（AP）：各相关文档处精确率的平均；对查询取均值即平均精度均值（MAP）"
family = "binary"
params = { k = "cutoff", rel = 1, norm = ["relevant", "retrieved", "min", "returned", "k"], mean = ["arithmetic", "geometric"], weight = ["none", "item", "within"] }
reads = ["precisions", "precision_at_hit", "hit", "relevant", "retrieved", "total_weight", "relevant_weight"]
reads_with = { precisions = { weight = "none" }, precision_at_hit = { weight = ["item", "within"] }, relevant = { weight = "none" }, total_weight = { weight = ["item", "within"] }, relevant_weight = { weight = "item" }, hit = { norm = "retrieved" }, retrieved = { norm = "returned" } }
range = [0, 1]
empty = ["relevant"]
summary = "mean"
weighed_with = { norm = ["relevant"] }
effect = "pairs"
effect_with = { norm = ["relevant", "min"], mean = ["arithmetic"], weight = ["none"] }
aliases = { map = {}, map_cut = {}, average_precision = {}, gm_map = { mean = "geometric" } }
help = { norm = "divided by: relevant (all relevant documents, R), retrieved (the hits found), min (the smaller of R and k), returned (the smallest of R, k and the documents returned) or k" }
formula = "sum over hits at ranks i <= k of (hits in the top i) / i, over R. weight=item: each term times the weight of its document, over the weights of all relevant documents; a query weighs their mean"
in_words = true
latex = '''
\text{AP@}k = \frac{1}{R} \sum_{i=1}^{k} h_i\, \frac{H_i}{i}

\text{norm=retrieved:}\ \ R \to H_k \qquad \text{norm=min:}\ \ R \to \min(R, k) \qquad \text{norm=returned:}\ \ R \to \min(R, K) \qquad \text{norm=k:}\ \ R \to k

\text{weight=item:}\ \ \frac{\sum_{i=1}^{k} w_i\, h_i\, H_i / i}{\sum_{j} w_j\, h_j}
'''
citation = "Buckley and Voorhees, Evaluating evaluation measure stability, SIGIR 2000"
doi = "10.1145/345508.345543"
#}
{% from "macros/ranking.sql" import at, of_query, smaller, total, total_of %}
{% from "macros/whole.sql" import whole %}
{% if weighing %}
{{ of_query(relevant_weight) }}
{% else %}
{% if weight != "none" %}
{{ total(at(precision_at_hit, k)) }} / nullif({{ of_query(total_weight) }}, 0)
{% else %}
{{ total_of(precisions, k) }}
{% if norm == "retrieved" %}
/ nullif({{ whole(at(hit, k)) }}, 0)
{% elif norm == "returned" %}
/ nullif({{ smaller(of_query(relevant), smaller(of_query(retrieved), k) if k else of_query(retrieved)) }}, 0)
{% elif norm == "k" %}
/ {{ k }}
{% elif norm == "min" and k %}
/ nullif({{ smaller(of_query(relevant), k) }}, 0)
{% else %}
/ nullif({{ of_query(relevant) }}, 0)
{% endif %}
{% endif %}
{% endif %}
