{#
title = "share of the subtopics that the first k cover"
params = { k = "cutoff required", rel = 1 }
reads = ["first_covered", "subtopics"]
range = [0, 1]
empty = ["subtopics"]
summary = "mean"
parts = "sum"
aliases = { strecall = {} }
formula = "subtopics with a relevant document in the top k, over the subtopics with a relevant document"
citation = "Zhai, Cohen and Lafferty, Beyond independent relevance: methods and evaluation metrics for subtopic retrieval, SIGIR 2003"
#}
{% from "macros/ranking.sql" import at, of_query, total %}
{{ total(at(first_covered, k)) }} / nullif({{ of_query(subtopics) }}, 0)
