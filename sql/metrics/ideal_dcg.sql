{#
title = "discounted cumulative gain of the best ranking possible"
title_zh = "理想折损累计增益（IDCG）：最优排序的 DCG"
family = "gain"
params = { k = "cutoff", gain = "linear", discount = "log2", ideal = "judged" }
reads = ["best_dcg"]
summary = "mean"
linear = true
aliases = { idcg = {} }
formula = "DCG@k of the documents in order of gain, the largest first"
latex = '''
\text{IDCG@}k = \sum_{i=1}^{k} g^{*}_i\, d_i
'''
citation = "Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, ACM TOIS 20(4), 2002"
doi = "10.1145/582415.582418"
#}
{% from "macros/ranking.sql" import of_query %}
coalesce({{ of_query(best_dcg) }}, 0)
