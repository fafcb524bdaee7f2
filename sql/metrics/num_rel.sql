{#
title = "number of relevant judged documents, found or not"
params = { rel = 1 }
reads = ["relevant"]
summary = "sum"
linear = true
aliases = { numrel = {} }
formula = "R"
citation = "trec_eval, measure num_rel"
#}
{% from "macros/ranking.sql" import number, of_query %}
{{ number(of_query(relevant)) }}
