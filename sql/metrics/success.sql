{#
title = "whether a relevant document is in the first k"
title_zh = "命中率：前 k 个结果中是否有相关文档"
family = "binary"
params = { k = "cutoff required", rel = 1, weight = ["none", "item"] }
reads = ["hit", "relevant_weight"]
reads_with = { relevant_weight = { weight = "item" } }
range = [0, 1]
empty = ["relevant"]
summary = "mean"
rises = true
rises_with = { weight = ["none"] }
parts = "first"
aliases = { hit_rate = {}, hitrate = {} }
offered_for = ["hit", "hr"]
uncut = { hit_rate = "set_success", hitrate = "set_success" }
help = { weight = "what weighs a query in the mean: none, or item (the mean item_weight of its relevant documents)" }
formula = "1 if the top k has a hit, else 0"
latex = '''
\text{Success@}k = [H_k \ge 1]
'''
citation = "Shah and Croft, Evaluating high accuracy retrieval techniques, SIGIR 2004"
#}
{% from "macros/ranking.sql" import at, best, number, of_query %}
{% if weighing %}
{{ of_query(relevant_weight) }}
{% else %}
{{ number(best(at(hit, k))) }}
{% endif %}
