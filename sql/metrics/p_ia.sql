{#
title = "intent-aware precision: the mean over subtopics of the precision for each"
params = { k = "cutoff required", rel = 1 }
reads = ["covered", "subtopics"]
range = [0, 1]
empty = ["subtopics"]
summary = "mean"
parts = "sum"
formula = "mean over the subtopics of (documents in the top k relevant to it) / k"
citation = "Agrawal, Gollapudi, Halverson and Ieong, Diversifying search results, WSDM 2009"
#}
{% from "macros/ranking.sql" import at, of_query, total %}
{{ total(at(covered, k)) }} / {{ k }} / nullif({{ of_query(subtopics) }}, 0)
