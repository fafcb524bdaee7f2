{#
title = "recall of everything returned"
title_zh = "返回集合的召回率"
family = "sets"
params = { rel = 1, weight = ["none", "item"] }
reads = ["hit", "relevant", "relevant_weight"]
reads_with = { relevant_weight = { weight = "item" } }
range = [0, 1]
empty = ["relevant"]
summary = "mean"
linear = true
effect = "places"
effect_with = { weight = ["none"] }
aliases = { set_r = {}, setr = {} }
help = { weight = "what weighs a query in the mean: none, or item (the mean item_weight of its relevant documents)" }
formula = "hits / relevant documents"
latex = '''
\text{Recall} = \frac{H_n}{R}
'''
citation = "van Rijsbergen, Information Retrieval, 2nd edition, 1979"
#}
{% from "macros/ranking.sql" import at, of_query, total %}
{% if weighing %}
{{ of_query(relevant_weight) }}
{% else %}
{{ total(at(hit)) }} / nullif({{ of_query(relevant) }}, 0)
{% endif %}
