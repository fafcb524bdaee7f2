{#
title = "number of documents returned that were judged not relevant"
title_zh = "返回的文档中判为不相关的个数"
family = "sets"
params = { rel = 1 }
reads = ["miss"]
summary = "sum"
better = "lower"
parts = "sum"
linear = true
formula = "documents returned with a relevance of 0 or more and below rel"
latex = '''
m_n
'''
citation = "trec_eval, measure num_nonrel_judged_ret"
#}
{% from "macros/ranking.sql" import at, number, total %}
{{ number(total(at(miss))) }}
