{#
title = "DCG where a subtopic counts less each time it is seen again, over its upper bound"
params = { k = "cutoff required", alpha = 0.5, rel = 1 }
reads = ["novelty", "discount", "every_place", "subtopics"]
range = [0, 1]
empty = ["subtopics"]
summary = "mean"
parts = "sum"
within = { alpha = [0, 1] }
formula = "sum over i <= k of G(i) / log2(i + 1), over S times the sum of (1 - alpha)^(i - 1) / log2(i + 1), S subtopics; G as in alpha_ndcg"
citation = "Clarke, Kolla, Cormack, Vechtomova, Ashkan, Büttcher and MacKinnon, Novelty and diversity in information retrieval evaluation, SIGIR 2008"
#}
{% from "macros/ranking.sql" import at, each, of_query, total %}
{% from "macros/whole.sql" import whole %}
{% set most %}{{ every_place.value }} * {{ discount.place }} * power({{ (1 - alpha) | literal }}, place - 1){% endset %}
{{ total(at(novelty, k, discount)) }}
/ nullif({{ of_query(subtopics) }} * {{ whole(each(every_place, most, k)) }}, 0)
