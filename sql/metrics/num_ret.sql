{#
title = "number of documents returned"
title_zh = "返回的文档数"
family = "sets"
params = {}
reads = ["retrieved"]
summary = "sum"
linear = true
aliases = { numret = {} }
turns = { numret = { rel = "num_rel_ret" } }
formula = "n"
latex = '''
n
'''
citation = "trec_eval, measure num_ret"
#}
{% from "macros/ranking.sql" import of_query %}
{{ of_query(retrieved) }}
