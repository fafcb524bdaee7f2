{#
title = "novelty: mean information of the first k, in bits"
params = { k = "cutoff required" }
reads = ["self_information", "shown"]
summary = "mean"
parts = "sum"
formula = "mean over the documents in the top k of -log2(users who know it / users of the history); an unknown document counts as known to one"
citation = "Vargas and Castells, Rank and relevance in novelty and diversity metrics for recommender systems, RecSys 2011"
#}
{% from "macros/ranking.sql" import at, total %}
{% from "macros/whole.sql" import whole %}
{{ total(at(self_information, k)) }} / nullif({{ whole(at(shown, k)) }}, 0)
