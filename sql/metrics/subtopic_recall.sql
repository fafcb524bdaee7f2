{#
title = "share of the subtopics that the first k cover"
title_zh = "子主题召回率：前 k 个结果覆盖的子主题占比"
family = "subtopics"
params = { k = "cutoff", rel = 1 }
reads = ["first_covered", "subtopics"]
range = [0, 1]
empty = ["subtopics"]
summary = "mean"
parts = "sum"
aliases = { strecall = {}, nugget_recall = {} }
formula = "subtopics with a relevant document in the top k, over the subtopics with a relevant document"
latex = '''
\text{S-recall@}k = \frac{1}{S} \sum_{x=1}^{S} \left[ \sum\limits_{i=1}^{k} c_{ix} \ge 1 \right]
'''
citation = "Zhai, Cohen and Lafferty, Beyond independent relevance: methods and evaluation metrics for subtopic retrieval, SIGIR 2003"
doi = "10.1145/860435.860440"
#}
{% from "macros/ranking.sql" import at, of_query, total %}
{{ total(at(first_covered, k)) }} / nullif({{ of_query(subtopics) }}, 0)
