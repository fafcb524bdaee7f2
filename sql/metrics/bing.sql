{#
title = "binary G: relevant documents, discounted by how many others stand above"
title_zh = "二元 G（binG）：相关文档按前面不相关文档的个数折损"
family = "binary"
params = { rel = 1 }
reads = ["hit", "hits", "relevant"]
range = [0, 1]
empty = ["relevant"]
summary = "mean"
parts = "sum"
formula = "mean over the R relevant documents of 1 / log2(2 + m), m documents above it that are not relevant; 0 if not returned"
latex = '''
\text{binG} = \frac{1}{R} \sum_{i=1}^{n} \frac{h_i}{\log_2(2 + i - H_i)}
'''
citation = "trec_eval, measure binG"
#}
{% from "macros/ranking.sql" import each, of_query, total %}
{% set weight %}ln(2.0) / ln(2 + rank - {{ hits.value }}){% endset %}
{{ total(each(hit, weight)) }}
/ nullif({{ of_query(relevant) }}, 0)
