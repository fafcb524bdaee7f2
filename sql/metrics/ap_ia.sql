{#
title = "intent-aware average precision: the mean over subtopics of the average precision for each"
params = { rel = 1 }
reads = ["subtopic_precision", "subtopics"]
range = [0, 1]
empty = ["subtopics"]
summary = "mean"
parts = "sum"
aliases = { map_ia = {} }
formula = "mean over the subtopics of average precision for the documents relevant to each"
citation = "Agrawal, Gollapudi, Halverson and Ieong, Diversifying search results, WSDM 2009"
#}
{% from "macros/ranking.sql" import at, of_query, total %}
{{ total(at(subtopic_precision)) }} / nullif({{ of_query(subtopics) }}, 0)
