{#
title = "number of queries evaluated"
title_zh = "参与评测的查询数"
family = "sets"
params = {}
reads = []
summary = "sum"
linear = true
aliases = { numq = {} }
formula = "1 for each query"
latex = '''
1
'''
citation = "trec_eval, measure num_q"
#}
cast(1 as {{ double }})
