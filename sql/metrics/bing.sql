{#
title = "binary G: relevant documents, discounted by how many others stand above"
params = { rel = 1 }
reads = ["hit", "hits", "relevant"]
range = [0, 1]
empty = ["relevant"]
summary = "mean"
parts = "sum"
formula = "mean over the R relevant documents of 1 / log2(2 + m), m documents above it that are not relevant; 0 if not returned"
citation = "trec_eval, measure binG"
#}
{% from "macros/ranking.sql" import each, of_query, total %}
{% set weight %}ln(2.0) / ln(2 + rank - {{ hits.value }}){% endset %}
{{ total(each(hit, weight)) }}
/ nullif({{ of_query(relevant) }}, 0)
