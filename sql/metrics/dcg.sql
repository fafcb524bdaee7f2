{#
title = "discounted cumulative gain of the ranking"
title_zh = "折损累计增益（DCG）"
family = "gain"
params = { k = "cutoff", gain = "linear", discount = "log2" }
reads = ["gain", "discount"]
summary = "mean"
rises = true
linear = true
effect = "places"
aliases = { dcg_burges = { gain = "exp2" } }
formula = "sum over ranks i <= k of gain(i) * discount(i)"
latex = '''
\text{DCG@}k = \sum_{i=1}^{k} g_i\, d_i
'''
citation = "Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, ACM TOIS 20(4), 2002"
doi = "10.1145/582415.582418"
#}
{% from "macros/ranking.sql" import at, total %}
{{ total(at(gain, k, discount)) }}
