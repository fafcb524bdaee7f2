{#
title = "average relevance position: the mean rank of the documents, each weighted by its gain"
title_zh = "平均相关位置（ARP）：按增益加权的平均排名"
family = "gain"
params = { gain = "linear", weight = ["none", "gain", "item", "within"] }
reads = ["gain"]
summary = "mean"
better = "lower"
undefined = "no document returned has a gain"
linear = true
parts = "sum"
help = { weight = "what weighs a query in the mean: none, gain (of all documents returned), item (the same, each document times its item_weight, in the mean rank too) or within (item_weight in the mean rank alone)" }
formula = "sum over ranks i of gain(i) * i, over the sum of gain(i)"
latex = '''
\text{ARP} = \frac{\sum_{i=1}^{n} g_i\, i}{\sum_{i=1}^{n} g_i}

\text{weight=item:}\ \ g_i \to w_i\, g_i
'''
citation = "Pasumarthi et al., TF-Ranking: scalable TensorFlow library for learning-to-rank, KDD 2019"
doi = "10.1145/3292500.3330677"
agrees = ["TensorFlow Ranking ARPMetric with weight=gain"]
#}
{% from "macros/ranking.sql" import at, each, total %}
{% from "macros/whole.sql" import whole %}
{% set placed %}{{ gain.value }} * {{ gain.axis }}{% endset %}
{% if weighing %}
{{ total(at(gain)) }}
{% else %}
{{ total(each(gain, placed)) }} / nullif({{ whole(at(gain)) }}, 0)
{% endif %}
