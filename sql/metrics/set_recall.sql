{#
title = "recall of everything returned"
params = { rel = 1 }
reads = ["hit", "relevant"]
range = [0, 1]
empty = ["relevant"]
summary = "mean"
linear = true
effect = "places"
aliases = { set_r = {}, setr = {} }
formula = "hits / relevant documents"
citation = "van Rijsbergen, Information Retrieval, 2nd edition, 1979"
#}
{% from "macros/ranking.sql" import at, of_query, total %}
{{ total(at(hit)) }} / nullif({{ of_query(relevant) }}, 0)
