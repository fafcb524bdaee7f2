{#
title = "precision times recall of everything returned"
title_zh = "返回集合的精确率与召回率之积"
family = "sets"
params = { rel = 1 }
reads = ["hit", "retrieved", "relevant"]
range = [0, 1]
empty = ["relevant"]
summary = "mean"
linear = true
aliases = { set_map = {}, setap = {} }
formula = "hits^2 / (documents returned * R)"
latex = '''
\text{AP} = \frac{H_n}{n} \cdot \frac{H_n}{R}
'''
citation = "trec_eval, measure set_map"
#}
{% from "macros/ranking.sql" import at, of_query, total %}
{{ total(at(hit)) }} * {{ total(at(hit)) }}
/ nullif({{ of_query(retrieved) }} * {{ of_query(relevant) }}, 0)
