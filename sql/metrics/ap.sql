{#
title = "average precision: the mean of the precisions at the relevant documents"
params = { k = "cutoff", rel = 1, norm = ["relevant", "retrieved", "min", "k"], mean = ["arithmetic", "geometric"] }
reads = ["precision_at_hit", "hit", "relevant"]
range = [0, 1]
empty = ["relevant"]
summary = "mean"
effect = "pairs"
effect_with = { norm = ["relevant", "min"], mean = ["arithmetic"] }
aliases = { map = {}, map_cut = {}, average_precision = {}, gm_map = { mean = "geometric" } }
help = { norm = "divided by: relevant (all relevant documents, R), retrieved (the hits found), min (the smaller of R and k) or k" }
formula = "sum over hits at ranks i <= k of (hits in the top i) / i, over R"
citation = "Buckley and Voorhees, Evaluating evaluation measure stability, SIGIR 2000"
#}
{% from "macros/ranking.sql" import at, of_query, smaller, total %}
{% from "macros/whole.sql" import whole %}
{{ total(at(precision_at_hit, k)) }}
{% if norm == "retrieved" %}
/ nullif({{ whole(at(hit, k)) }}, 0)
{% elif norm == "k" %}
/ {{ k }}
{% elif norm == "min" and k %}
/ nullif({{ smaller(of_query(relevant), k) }}, 0)
{% else %}
/ nullif({{ of_query(relevant) }}, 0)
{% endif %}
