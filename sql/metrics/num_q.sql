{#
title = "number of queries evaluated"
params = {}
reads = []
summary = "sum"
linear = true
aliases = { numq = {} }
formula = "1 for each query"
citation = "trec_eval, measure num_q"
#}
cast(1 as {{ double }})
