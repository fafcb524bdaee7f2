{#
title = "number of documents returned"
params = {}
reads = ["retrieved"]
summary = "sum"
linear = true
aliases = { numret = {} }
turns = { numret = { rel = "num_rel_ret" } }
formula = "n"
citation = "trec_eval, measure num_ret"
#}
{% from "macros/ranking.sql" import of_query %}
{{ of_query(retrieved) }}
