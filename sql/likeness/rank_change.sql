{#
title = "mean rank change: by how many places the documents that both rankings hold have moved"
params = {}
reads = ["moved", "shared"]
summary = "mean"
undefined = "no document is in both"
formula = "sum over documents in both rankings of |rank - rank in the baseline|, over their number"
citation = "Diaconis and Graham, Spearman's footrule as a measure of disarray, Journal of the Royal Statistical Society B 39(2), 1977"
#}
{% from "macros/ranking.sql" import at, total %}
{{ total(at(moved)) }} / nullif({{ total(at(shared)) }}, 0)
