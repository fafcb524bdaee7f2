{#
title = "discounted gain of the ranking over that of the best one possible"
title_zh = "归一化折损累计增益（nDCG）：折损累计增益与理想排序之比"
family = "gain"
params = { k = "cutoff", gain = "linear", discount = "log2", ideal = "judged", weight = ["none", "item", "within"] }
reads = ["gain", "best_dcg", "discount", "gain_weight"]
reads_with = { gain_weight = { weight = "item" } }
range = [0, 1]
empty = ["gainful"]
summary = "mean"
weighed_with = { ideal = ["judged", "uncut", "retrieved"] }
rises = true
rises_with = { ideal = ["full"], weight = ["none"] }
linear = true
effect = "places"
effect_with = { ideal = ["judged", "full"], weight = ["none"] }
aliases = { ndcg_cut = {}, ndcg_burges = { gain = "exp2" } }
spellings = { dcg = { log2 = { gain = "linear" }, exp-log2 = { gain = "exp2" } } }
formula = "DCG@k / ideal DCG@k, where DCG@k = sum over ranks i <= k of gain(i) * discount(i). weight=item: each gain times the weight of its document, and a query weighs what its gains weigh on average"
in_words = true
latex = '''
\text{nDCG@}k = \frac{\text{DCG@}k}{\text{IDCG@}k} = \frac{\sum_{i=1}^{k} g_i\, d_i}{\sum_{i=1}^{k} g^{*}_i\, d_i}

\text{weight=item:}\ \ g_i \to w_i\, g_i
'''
citation = "Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, ACM TOIS 20(4), 2002"
doi = "10.1145/582415.582418"
#}
{% from "macros/ranking.sql" import at, of_query, total %}
{% if weighing %}
{{ of_query(gain_weight) }}
{% else %}
{{ total(at(gain, k, discount)) }}
/ nullif({{ of_query(best_dcg) }}, 0)
{% endif %}
