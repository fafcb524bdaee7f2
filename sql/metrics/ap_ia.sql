{#
title = "intent-aware average precision: the mean over subtopics of the average precision for each"
title_zh = "意图感知的平均精度（AP-IA）：各子主题平均精度的均值"
family = "subtopics"
params = { rel = 1 }
reads = ["subtopic_precision", "subtopics"]
range = [0, 1]
empty = ["subtopics"]
summary = "mean"
parts = "sum"
aliases = { map_ia = {} }
formula = "mean over the subtopics of average precision for the documents relevant to each"
latex = '''
\text{AP-IA} = \frac{1}{S} \sum_{x=1}^{S} \frac{1}{R_x} \sum_{i=1}^{n} c_{ix}\, \frac{C_{ix} + 1}{i}
'''
citation = "Agrawal, Gollapudi, Halverson and Ieong, Diversifying search results, WSDM 2009"
doi = "10.1145/1498759.1498766"
#}
{% from "macros/ranking.sql" import at, of_query, total %}
{{ total(at(subtopic_precision)) }} / nullif({{ of_query(subtopics) }}, 0)
