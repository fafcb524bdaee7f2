{#
title = "R-precision: precision at the number of relevant documents"
params = { rel = 1 }
reads = ["hit", "query_relevant", "relevant"]
range = [0, 1]
empty = ["relevant"]
summary = "mean"
aliases = { r_precision = {}, r-precision = {} }
formula = "hits in the top R, over R"
citation = "Buckley and Voorhees, Retrieval system evaluation, in TREC: Experiment and Evaluation, 2005"
agrees = ["trec_eval Rprec", "ir_measures Rprec", "ranx r-precision"]
#}
{% from "macros/ranking.sql" import at, of_query, total %}
{{ total(at(hit, query_relevant)) }} / nullif({{ of_query(relevant) }}, 0)
