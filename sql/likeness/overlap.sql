{#
title = "overlap: the share of the first k places that both rankings fill with the same documents"
params = { k = "cutoff required" }
reads = ["shared"]
range = [0, 1]
summary = "mean"
formula = "documents in the top k of both rankings, over k"
citation = "Fagin, Kumar and Sivakumar, Comparing top k lists, SIAM Journal on Discrete Mathematics 17(1), 2003"
#}
{% from "macros/ranking.sql" import at, total %}
{{ total(at(shared, k)) }} / {{ k }}
