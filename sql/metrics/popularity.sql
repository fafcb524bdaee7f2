{#
title = "mean popularity of the first k: how often each stands in the history"
title_zh = "流行度：前 k 个结果在历史记录中平均出现多少次"
family = "beyond"
params = { k = "cutoff required", norm = ["count", "share"] }
reads = ["popularity", "history_rows", "shown"]
summary = "mean"
parts = "sum"
help = { norm = "count, or share (of all rows of the history)" }
formula = "mean over the documents in the top k of the rows about each in the history, 0 where there is none"
latex = '''
\text{popularity@}k = \frac{1}{K} \sum_{i=1}^{K} E_i

\text{norm=share:}\ \ E_i \to E_i / E
'''
citation = "Yin, Cui, Li, Yao and Chen, Challenging the long tail recommendation, VLDB 2012"
doi = "10.14778/2311906.2311916"
agrees = ["RecBole AveragePopularity"]
#}
{% from "macros/ranking.sql" import at, total %}
{% from "macros/whole.sql" import whole %}
{{ total(at(popularity, k)) }}
{% if norm == "share" %}
/ nullif({{ whole(at(history_rows, k)) }}, 0)
{% else %}
/ nullif({{ whole(at(shown, k)) }}, 0)
{% endif %}
