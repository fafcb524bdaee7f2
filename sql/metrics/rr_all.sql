{#
title = "mean reciprocal rank of all relevant documents returned"
title_zh = "全部命中的平均倒数排名：对返回的每个相关文档取其排名的倒数再平均"
family = "user"
params = { k = "cutoff", rel = 1, norm = ["retrieved", "relevant"] }
reads = ["reciprocal_rank", "hit", "relevant"]
reads_with = { hit = { norm = "retrieved" } }
range = [0, 1]
empty = ["relevant"]
summary = "mean"
parts = "sum"
monotone = false
aliases = { granular_rr = {}, granular_mrr = {} }
help = { norm = "divided by: retrieved (the hits found) or relevant (all relevant documents, R)" }
formula = "mean of 1 / rank over the hits in the top k, 0 if there is none; norm=relevant: their sum over R"
latex = '''
\text{RR}_{\text{all}}\text{@}k = \frac{1}{H_k} \sum_{i=1}^{k} \frac{h_i}{i}

\text{norm=relevant:}\ \ H_k \to R
'''
citation = "LlamaIndex, retrieval metric MRR with use_granular_mrr"
agrees = ["LlamaIndex granular MRR"]
#}
{% from "macros/ranking.sql" import at, of_query, total %}
{% from "macros/whole.sql" import whole %}
{% if norm == "relevant" %}
{{ total(at(reciprocal_rank, k)) }} / nullif({{ of_query(relevant) }}, 0)
{% else %}
{{ total(at(reciprocal_rank, k)) }} / nullif({{ whole(at(hit, k)) }}, 0)
{% endif %}
