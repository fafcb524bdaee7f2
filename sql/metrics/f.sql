{#
title = "F measure: harmonic mean of precision and recall at k"
params = { k = "cutoff required", rel = 1, beta = 1 }
reads = ["hit", "relevant"]
range = [0, 1]
empty = ["relevant"]
summary = "mean"
linear = true
effect = "places"
aliases = { f1 = {} }
uncut = { f1 = "set_f" }
bounds = { beta = [0] }
formula = "(1 + beta^2) P R / (beta^2 P + R), with P = hits / k and R = hits / relevant"
citation = "van Rijsbergen, Information Retrieval, 2nd edition, 1979"
#}
{% from "macros/ranking.sql" import at, number, of_query, total %}
{{ (1 + beta * beta) | literal }} * {{ number(total(at(hit, k))) }}
/ ({{ (beta * beta) | literal }} * {{ number(of_query(relevant)) }} + {{ k }})
