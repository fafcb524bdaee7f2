{#
title = "nDCG averaged over the ranks of the documents with a gain"
title_zh = "在有增益的文档处取平均的 nDCG"
family = "gain"
params = { gain = "linear", discount = "log2" }
reads = ["gain", "discount", "ideal_gain", "dcg_so_far", "ideal_dcg_so_far", "gainful"]
range = [0, 1]
empty = ["gainful"]
summary = "mean"
formula = "mean over the G documents with a gain of DCG(i) / ideal DCG(i) at their ranks i; for those not returned, nDCG of the whole ranking"
in_words = true
latex = '''
\text{nDCG}_{\text{rel}} = \frac{1}{J} \left( \sum\limits_{i=1}^{n} [g_i > 0]\, \frac{D_i}{D^{*}_i} + \left( J - \sum\limits_{i=1}^{n} [g_i > 0] \right) \frac{D_n}{D^{*}_J} \right)

D_i = \sum_{j=1}^{i} g_j\, d_j, \qquad D^{*}_i = \sum_{j=1}^{i} g^{*}_j\, d_j
'''
citation = "trec_eval, measure ndcg_rel"
#}
{% from "macros/ranking.sql" import at, each, of_query, total %}
{% set share %}{{ dcg_so_far.value }} / {{ ideal_dcg_so_far.value }}{% endset %}
(
    {{ total(each(gain, share)) }}
    + ({{ of_query(gainful) }} - {{ total(each(gain, one)) }})
    * {{ total(at(gain, none, discount)) }}
    / nullif({{ total(at(ideal_gain, none, discount)) }}, 0)
) / nullif({{ of_query(gainful) }}, 0)
