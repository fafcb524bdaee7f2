{#
title = "number of relevant documents in the first k"
params = { k = "cutoff", rel = 1 }
reads = ["hit"]
summary = "mean"
rises = true
linear = true
effect = "places"
formula = "documents in the top k with a relevance of at least rel; the mean over queries"
citation = "Bassani, ranx: a blazing-fast Python library for ranking evaluation and comparison, ECIR 2022"
#}
{% from "macros/ranking.sql" import at, number, total %}
{{ number(total(at(hit, k))) }}
