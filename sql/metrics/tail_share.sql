{#
title = "tail share: how much of the first k is of the least popular documents"
title_zh = "长尾占比：前 k 个结果中最冷门文档的占比"
family = "beyond"
params = { k = "cutoff required", tail = 0.1 }
reads = ["in_tail", "shown"]
range = [0, 1]
summary = "mean"
parts = "sum"
bounds = { tail = [0] }
aliases = { tail_percentage = {}, tailpercentage = {} }
renames = { tail_percentage = { tail_ratio = "tail" }, tailpercentage = { tail_ratio = "tail" } }
help = { tail = "which documents of the history are the tail: this share of them, at least one, the least popular first and then by id; above 1, those with so many rows or fewer" }
formula = "documents in the top k that are of the tail of the history, over the documents in the top k; one that the history lacks is not"
in_words = true
latex = '''
\text{tail share@}k = \frac{1}{K} \sum_{i=1}^{K} [i \text{ in the tail}]
'''
citation = "Abdollahpouri, Burke and Mobasher, Managing popularity bias in recommender systems with personalized re-ranking, FLAIRS 2019"
agrees = ["RecBole TailPercentage with tail_ratio as tail, where no two documents at the end of the tail are equally popular"]
#}
{% from "macros/ranking.sql" import at, total %}
{% from "macros/whole.sql" import whole %}
{{ total(at(in_tail, k)) }} / nullif({{ whole(at(shown, k)) }}, 0)
