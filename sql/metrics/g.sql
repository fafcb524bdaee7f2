{#
title = "G: gain discounted by how far the ranking has fallen behind the best one"
title_zh = "G：按落后于理想排序的程度折损的增益"
family = "gain"
params = { gain = "linear" }
reads = ["gain", "shortfall_so_far", "ideal_gain"]
range = [0, 1]
empty = ["gainful"]
summary = "mean"
parts = "sum"
monotone = false
formula = "sum over ranks i of gain(i) / log2(2 + cost(i) - gain of the top i), over the sum of all ideal gains; cost(i) is the ideal gain of the top i, at least 1 for each rank"
latex = '''
\text{G} = \frac{\sum_{i=1}^{n} g_i \,/\, \log_2 \left( 2 + q_i - \sum_{j=1}^{i} g_j \right)}{\sum_{i=1}^{J} g^{*}_i}, \qquad q_i = \sum_{j=1}^{i} \max(1, g^{*}_j)
'''
citation = "trec_eval, measure G"
#}
{% from "macros/ranking.sql" import at, each, total %}
{% from "macros/whole.sql" import whole %}
{% set discounted %}{{ gain.value }} * ln(2.0) / ln(2 + {{ shortfall_so_far.value }}){% endset %}
{{ total(each(gain, discounted)) }}
/ nullif({{ whole(at(ideal_gain)) }}, 0)
