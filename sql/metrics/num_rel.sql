{#
title = "number of relevant judged documents, found or not"
title_zh = "相关文档数，无论是否返回"
family = "sets"
params = { rel = 1 }
reads = ["relevant"]
summary = "sum"
linear = true
aliases = { numrel = {} }
formula = "R"
latex = '''
R
'''
citation = "trec_eval, measure num_rel"
#}
{% from "macros/ranking.sql" import number, of_query %}
{{ number(of_query(relevant)) }}
