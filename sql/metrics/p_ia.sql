{#
title = "intent-aware precision: the mean over subtopics of the precision for each"
title_zh = "意图感知的精确率（P-IA）：各子主题精确率的均值"
family = "subtopics"
params = { k = "cutoff required", rel = 1, norm = ["k", "returned"], weight = ["none", "item"] }
reads = ["covered", "subtopics", "retrieved", "relevant_weight"]
reads_with = { relevant_weight = { weight = "item" }, retrieved = { norm = "returned" } }
range = [0, 1]
empty = ["subtopics"]
summary = "mean"
parts = "sum"
help = { weight = "what weighs a query in the mean: none, or item (the mean item_weight of its relevant documents)", norm = "divided by: k, or returned (the smaller of k and the documents returned)" }
formula = "mean over the subtopics of (documents in the top k relevant to it) / k"
latex = '''
\text{P-IA@}k = \frac{1}{S} \sum_{x=1}^{S} \frac{1}{k} \sum_{i=1}^{k} c_{ix}

\text{norm=returned:}\ \ k \to K
'''
citation = "Agrawal, Gollapudi, Halverson and Ieong, Diversifying search results, WSDM 2009"
doi = "10.1145/1498759.1498766"
#}
{% from "macros/ranking.sql" import at, of_query, smaller, total %}
{% if weighing %}
{{ of_query(relevant_weight) }}
{% else %}
{{ total(at(covered, k)) }} / {% if norm == "returned" %}nullif({{ smaller(of_query(retrieved), k) }}, 0){% else %}{{ k }}{% endif %} / nullif({{ of_query(subtopics) }}, 0)
{% endif %}
