{#
title = "mean grade of the documents seen by a user who wants t units of gain and knows how much was found"
params = { k = 1000, t = 1, min = 0, max = ["data", "number"] }
reads = ["inst_view", "place_grade"]
range = [0, 1]
summary = "mean"
parts = "sum"
bounds = { t = [0.5] }
renames = { inst = { min_rel = "min", max_rel = "max" } }
formula = "sum over i <= k of V(i) g(i), over the sum of V(i); V(i + 1) = V(i) ((i + t + T(i) - 1) / (i + t + T(i)))^2, T(i) what is still wanted after rank i"
citation = "Moffat, Bailey, Scholer and Thomas, INST: an adaptive metric for information retrieval evaluation, ADCS 2015"
#}
{% from "macros/ranking.sql" import at, total %}
{% from "macros/whole.sql" import whole %}
{{ total(at(inst_view, k, place_grade)) }}
/ nullif({{ whole(at(inst_view, k)) }}, 0)
