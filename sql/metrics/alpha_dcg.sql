{#
title = "DCG where a subtopic counts less each time it is seen again, over its upper bound"
params = { k = "cutoff required", alpha = 0.5, rel = 1 }
reads = ["novelty", "discount", "every_place", "subtopics"]
range = [0, 1]
empty = ["subtopics"]
summary = "mean"
within = { alpha = [0, 1] }
formula = "sum over i <= k of G(i) / log2(i + 1), over S times the sum of (1 - alpha)^(i - 1) / log2(i + 1), S subtopics; G as in alpha_ndcg"
citation = "Clarke, Kolla, Cormack, Vechtomova, Ashkan, Büttcher and MacKinnon, Novelty and diversity in information retrieval evaluation, SIGIR 2008"
#}
{% from "macros/ranking.sql" import at, of_query, total %}
{{ total(at(novelty, k, discount)) }}
/ nullif({{ of_query(subtopics) }} * sum(case when place <= {{ k }} then {{ every_place | ident }} * {{ discount | ident }} * power({{ (1 - alpha) | literal }}, place - 1) else 0 end), 0)
