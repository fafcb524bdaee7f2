{#
title = "intent-aware expected reciprocal rank, over its upper bound"
params = { k = "cutoff required", alpha = 0.5, rel = 1 }
reads = ["novelty", "every_place", "subtopics"]
range = [0, 1]
empty = ["subtopics"]
summary = "mean"
within = { alpha = [0, 1] }
formula = "sum over i <= k of G(i) / i, over S times the sum of (1 - alpha)^(i - 1) / i, S subtopics; G as in alpha_ndcg"
citation = "Clarke, Craswell, Soboroff and Ashkan, A comparative analysis of cascade measures for novelty and diversity, WSDM 2011"
#}
{% from "macros/ranking.sql" import of_query %}
sum(case when place <= {{ k }} then {{ novelty | ident }} / place else 0 end)
/ nullif({{ of_query(subtopics) }} * sum(case when place <= {{ k }} then {{ every_place | ident }} / place * power({{ (1 - alpha) | literal }}, place - 1) else 0 end), 0)
