{#
title = "nDCG where a subtopic counts less each time it is seen again"
params = { k = "cutoff required", alpha = 0.5, rel = 1 }
reads = ["novelty", "ideal_novelty", "discount"]
range = [0, 1]
empty = ["subtopics"]
summary = "mean"
parts = "sum"
within = { alpha = [0, 1] }
formula = "sum over i <= k of G(i) / log2(i + 1), over that of the greedy best ranking; G(i) sums (1 - alpha)^(times seen above) over the subtopics of document i"
citation = "Clarke, Kolla, Cormack, Vechtomova, Ashkan, Büttcher and MacKinnon, Novelty and diversity in information retrieval evaluation, SIGIR 2008"
#}
{% from "macros/ranking.sql" import at, total %}
{% from "macros/whole.sql" import whole %}
{{ total(at(novelty, k, discount)) }}
/ nullif({{ whole(at(ideal_novelty, k, discount)) }}, 0)
