{#
title = "share of pairs of judged documents that the scores order as the judgments do"
params = {}
reads = ["graded_pairs", "graded_pairs_won"]
range = [0, 1]
summary = "mean"
linear = true
undefined = "no two judged documents returned differ in relevance"
formula = "over pairs of documents returned with a judgment of 0 or more and different relevance: share where the more relevant scores higher, ties counting one half"
citation = "Burges, Shaked, Renshaw, Lazier, Deeds, Hamilton and Hullender, Learning to rank using gradient descent, ICML 2005"
#}
{% from "macros/ranking.sql" import at, total %}
{{ total(at(graded_pairs_won)) }} / nullif({{ total(at(graded_pairs)) }}, 0)
