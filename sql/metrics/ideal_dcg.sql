{#
title = "discounted cumulative gain of the best ranking possible"
params = { k = "cutoff", gain = "linear", discount = "log2", ideal = "judged" }
reads = ["best_dcg"]
summary = "mean"
linear = true
aliases = { idcg = {} }
formula = "DCG@k of the documents in order of gain, the largest first"
citation = "Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, ACM TOIS 20(4), 2002"
#}
{% from "macros/ranking.sql" import of_query %}
coalesce({{ of_query(best_dcg) }}, 0)
