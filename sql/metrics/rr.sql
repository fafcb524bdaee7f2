{#
title = "reciprocal rank of the first relevant document"
title_zh = "倒数排名（RR）：第一个相关文档排名的倒数；对查询取均值即平均倒数排名（MRR）"
family = "user"
params = { k = "cutoff", rel = 1, weight = ["none", "item"] }
reads = ["reciprocal_rank", "relevant_weight"]
reads_with = { relevant_weight = { weight = "item" } }
range = [0, 1]
empty = ["relevant"]
summary = "mean"
rises = true
rises_with = { weight = ["none"] }
parts = "first"
aliases = { mrr = {}, recip_rank = {}, reciprocal_rank = {} }
help = { weight = "what weighs a query in the mean: none, or item (the mean item_weight of its relevant documents)" }
formula = "1 / rank of the first hit, 0 if there is none in the top k"
latex = '''
\text{RR@}k = \underset{i \le k}{\max}\; \frac{h_i}{i}
'''
citation = "Voorhees, The TREC-8 question answering track report, 1999"
#}
{% from "macros/ranking.sql" import at, best, of_query %}
{% if weighing %}
{{ of_query(relevant_weight) }}
{% else %}
{{ best(at(reciprocal_rank, k)) }}
{% endif %}
