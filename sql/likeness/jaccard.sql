{#
title = "Jaccard similarity of the first k of both rankings"
params = { k = "cutoff required" }
reads = ["shared", "returned", "baseline_returned"]
range = [0, 1]
summary = "mean"
formula = "documents in the top k of both rankings, over documents in the top k of either"
citation = "Jaccard, Etude comparative de la distribution florale dans une portion des Alpes et du Jura, 1901"
#}
{% from "macros/ranking.sql" import at, of_query, smaller, total %}
{{ total(at(shared, k)) }} / (
    {{ smaller(of_query(returned), k) }}
    + {{ smaller(of_query(baseline_returned), k) }}
    - {{ total(at(shared, k)) }}
)
