{#
title = "number of documents returned"
params = {}
reads = ["retrieved"]
summary = "sum"
aliases = { numret = {} }
formula = "n"
citation = "trec_eval, measure num_ret"
agrees = ["trec_eval num_ret", "ir_measures NumRet"]
#}
{% from "macros/ranking.sql" import of_query %}
{{ of_query(retrieved) }}
