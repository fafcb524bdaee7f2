{#
title = "number of relevant documents returned"
title_zh = "返回的相关文档数"
family = "sets"
params = { rel = 1 }
reads = ["hit"]
summary = "sum"
rises = true
linear = true
effect = "places"
aliases = { numrelret = {} }
formula = "hits in the whole ranking"
latex = '''
H_n
'''
citation = "trec_eval, measure num_rel_ret"
#}
{% from "macros/ranking.sql" import at, number, total %}
{{ number(total(at(hit))) }}
