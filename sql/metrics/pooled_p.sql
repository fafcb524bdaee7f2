{#
title = "pooled precision: the share of all documents shown for all queries that is relevant"
title_zh = "合并精确率（微平均）：所有查询展示的全部文档中相关文档的占比"
family = "binary"
params = { k = "cutoff required", rel = 1, norm = ["returned", "min"] }
reads = ["hit", "retrieved", "relevant"]
reads_with = { retrieved = { norm = "returned" }, relevant = { norm = "min" } }
range = [0, 1]
summary = "mean"
weighs = true
linear = true
parts = "sum"
undefined = "nothing is returned, or with norm=min nothing is relevant"
aliases = { micro_p = {}, micro_precision = {}, pooled_precision = {} }
help = { norm = "divided by: returned (the documents shown) or min (for each query the smaller of k and its relevant documents)" }
formula = "hits in the top k of all queries, over the documents in the top k of all queries; norm=min: over the sum of min(R, k) of all queries. A query alone has its own share, and weighs its part of the divisor"
in_words = true
latex = '''
\text{pooled P@}k = \frac{\sum_{q} H_k(q)}{\sum_{q} K(q)}

\text{norm=min:}\ \ K(q) \to \min(R(q), k)
'''
citation = "Yang, An evaluation of statistical approaches to text categorization, Information Retrieval 1, 1999"
doi = "10.1023/A:1009982220290"
agrees = ["implicit precision_at_k with norm=min"]
#}
{% from "macros/ranking.sql" import at, of_query, smaller, total %}
{% set divisor %}{% if norm == "min" %}{{ smaller(of_query(relevant), k) }}{% else %}{{ smaller(of_query(retrieved), k) }}{% endif %}{% endset %}
{% if weighing %}
{{ divisor }}
{% else %}
{{ total(at(hit, k)) }} / nullif({{ divisor }}, 0)
{% endif %}
