{#
title = "the relevances of the first k, a character each"
params = { k = "cutoff required" }
reads = ["relstring_code"]
summary = "none"
monotone = false
formula = "- without judgment, . below 0, 0 to 9, > above 9; computed as a number in base 16, its first digit for rank 1"
citation = "trec_eval, measure relstring"
#}
sum(case when place <= {{ k }} then {{ relstring_code | ident }} * power(16.0, {{ k }} - place) else 0 end)
