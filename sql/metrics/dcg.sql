{#
title = "discounted cumulative gain of the ranking"
title_zh = "折损累计增益（DCG）"
family = "gain"
params = { k = "cutoff", gain = "linear", discount = "log2", weight = ["none", "item", "within"] }
reads = ["gain", "discount", "gain_weight"]
reads_with = { gain_weight = { weight = ["item", "within"] } }
summary = "mean"
rises = true
rises_with = { weight = ["none"] }
linear = true
effect = "places"
effect_with = { weight = ["none"] }
aliases = { dcg_burges = { gain = "exp2" } }
formula = "sum over ranks i <= k of gain(i) * discount(i)"
latex = '''
\text{DCG@}k = \sum_{i=1}^{k} g_i\, d_i
'''
citation = "Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, ACM TOIS 20(4), 2002"
doi = "10.1145/582415.582418"
#}
{% from "macros/ranking.sql" import at, of_query, total %}
{% if weighing %}
{{ of_query(gain_weight) }}
{% else %}
{{ total(at(gain, k, discount)) }}
{% if weight != "none" %}
/ nullif({{ of_query(gain_weight) }}, 0)
{% endif %}
{% endif %}
