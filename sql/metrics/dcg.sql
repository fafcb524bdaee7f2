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
formula = "sum over ranks i <= k of gain(i) * discount(i). weight=item: each gain times the weight of its document, over what the gains of the judged documents weigh on average, which weighs the query too"
in_words = true
latex = '''
\text{DCG@}k = \sum_{i=1}^{k} g_i\, d_i

\text{weight=item:}\ \ \frac{\sum_{i=1}^{k} w_i\, g_i\, d_i}{\sum_{j} w_j\, g_j / \sum_{j} g_j}
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
