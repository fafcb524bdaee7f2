{#
title = "Kendall's tau-b over the documents that both rankings hold"
params = {}
reads = ["above", "above_in_baseline", "above_in_either", "swapped"]
range = [-1, 1]
summary = "mean"
undefined = "both hold fewer than two of the same documents, or one of them gives all of these one score"
formula = "(pairs in the same order - pairs in the other order) / sqrt(pairs with different scores in one * pairs with different scores in the other)"
citation = "Kendall, The treatment of ties in ranking problems, Biometrika 33(3), 1945"
agrees = ["scipy.stats.kendalltau with variant=b"]
#}
{# Pairs that differ in both are those that differ in one, and those that differ in the other, less those in either. #}
{% from "macros/ranking.sql" import at, total %}
({{ total(at(above)) }} + {{ total(at(above_in_baseline)) }} - {{ total(at(above_in_either)) }} - 2 * {{ total(at(swapped)) }})
/ nullif(sqrt({{ total(at(above)) }} * {{ total(at(above_in_baseline)) }}), 0)
