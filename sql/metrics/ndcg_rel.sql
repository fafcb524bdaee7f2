{#
title = "nDCG averaged over the ranks of the documents with a gain"
params = { gain = "linear", discount = "log2" }
reads = ["gain", "discount", "ideal_gain", "dcg_so_far", "ideal_dcg_so_far", "gainful"]
range = [0, 1]
empty = ["gainful"]
summary = "mean"
formula = "mean over the G documents with a gain of DCG(i) / ideal DCG(i) at their ranks i; for those not returned, nDCG of the whole ranking"
citation = "trec_eval, measure ndcg_rel"
#}
{% from "macros/ranking.sql" import at, each, of_query, total %}
{% set share %}{{ dcg_so_far.value }} / {{ ideal_dcg_so_far.value }}{% endset %}
(
    {{ total(each(gain, share)) }}
    + ({{ of_query(gainful) }} - {{ total(each(gain, one)) }})
    * {{ total(at(gain, none, discount)) }} / nullif({{ total(at(ideal_gain, none, discount)) }}, 0)
) / nullif({{ of_query(gainful) }}, 0)
