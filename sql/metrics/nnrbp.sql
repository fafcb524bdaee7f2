{#
title = "novelty- and rank-biased precision, over that of the greedy best ranking"
params = { alpha = 0.5, beta = 0.5, rel = 1 }
reads = ["novelty", "ideal_novelty"]
range = [0, 1]
empty = ["subtopics"]
summary = "mean"
parts = "sum"
within = { alpha = [0, 1] }
bounds = { beta = [0, 1] }
help = { beta = "persistence: the probability of going on to the next document" }
formula = "sum over i of G(i) beta^(i - 1), over that of the greedy best ranking; G as in alpha_ndcg"
citation = "Clarke, Kolla and Vechtomova, An effectiveness measure for ambiguous and underspecified queries, ICTIR 2009"
#}
{% from "macros/ranking.sql" import persistent, total %}
{% from "macros/whole.sql" import whole %}
{{ total(persistent(novelty, beta)) }}
/ nullif({{ whole(persistent(ideal_novelty, beta)) }}, 0)
