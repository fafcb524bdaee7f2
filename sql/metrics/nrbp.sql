{#
title = "novelty- and rank-biased precision"
params = { alpha = 0.5, beta = 0.5, rel = 1 }
reads = ["novelty", "subtopics"]
range = [0, 1]
empty = ["subtopics"]
summary = "mean"
parts = "sum"
within = { alpha = [0, 1] }
bounds = { beta = [0, 1] }
help = { beta = "persistence: the probability of going on to the next document" }
formula = "(1 - (1 - alpha) beta) / S * sum over i of G(i) beta^(i - 1), S subtopics; G as in alpha_ndcg"
citation = "Clarke, Kolla and Vechtomova, An effectiveness measure for ambiguous and underspecified queries, ICTIR 2009"
#}
{% from "macros/ranking.sql" import of_query, persistent, total %}
(1 - {{ ((1 - alpha) * beta) | literal }}) * {{ total(persistent(novelty, beta)) }}
/ nullif({{ of_query(subtopics) }}, 0)
