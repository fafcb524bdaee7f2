{#
title = "number of relevant documents returned"
params = { rel = 1 }
reads = ["hit"]
summary = "sum"
rises = true
linear = true
effect = "places"
aliases = { numrelret = {} }
formula = "hits in the whole ranking"
citation = "trec_eval, measure num_rel_ret"
#}
{% from "macros/ranking.sql" import at, number, total %}
{{ number(total(at(hit))) }}
