{#
title = "number of queries evaluated"
params = {}
reads = []
summary = "sum"
aliases = { numq = {} }
formula = "1 for each query"
citation = "trec_eval, measure num_q"
agrees = ["trec_eval num_q"]
#}
cast(1 as {{ double }})
