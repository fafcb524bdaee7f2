{#
title = "precision of everything returned"
params = { rel = 1 }
reads = ["hit", "retrieved"]
range = [0, 1]
empty = ["relevant"]
summary = "mean"
aliases = { setp = {} }
formula = "hits / documents returned"
citation = "van Rijsbergen, Information Retrieval, 2nd edition, 1979"
agrees = ["trec_eval set_P", "ir_measures SetP", "ranx precision"]
#}
{% from "macros/ranking.sql" import at, of_query, total %}
{{ total(at(hit)) }} / nullif({{ of_query(retrieved) }}, 0)
