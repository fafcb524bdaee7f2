{#
title = "Q-measure: average precision in which precision blends with how much of the possible gain was found"
title_zh = "Q-measure：精确率与累计增益比混合后的平均精度"
family = "gain"
params = { k = "cutoff", gain = "linear", beta = 1 }
reads = ["gain", "gainful", "gainful_so_far", "cg_so_far", "ideal_cg_so_far"]
range = [0, 1]
empty = ["gainful"]
summary = "mean"
parts = "sum"
bounds = { beta = [0] }
aliases = { q = {}, qmeasure = {}, q-measure = {} }
help = { beta = "weight of the gain found against the number of documents: near 0, it is average precision" }
formula = "sum over ranks i <= k with a gain of BR(i), over the smaller of k and the documents with a gain; BR(i) = (documents with a gain in the top i + beta * their gain) / (i + beta * ideal gain of the top i)"
latex = '''
\text{Q@}k = \frac{1}{\min(J, k)} \sum_{i=1}^{k} [g_i > 0]\, \text{BR}_i, \qquad \text{BR}_i = \frac{\sum_{j=1}^{i} \left( [g_j > 0] + \beta\, g_j \right)}{i + \beta \sum_{j=1}^{i} g^{*}_j}
'''
citation = "Sakai, On the reliability of information retrieval metrics based on graded relevance, Information Processing & Management 43(2), 2007"
doi = "10.1016/j.ipm.2006.07.020"
agrees = ["NTCIREVAL Q-measure"]
#}
{% from "macros/ranking.sql" import blended_ratio, each, of_query, smaller, total %}
{{ total(each(gain, blended_ratio(gainful_so_far, cg_so_far, ideal_cg_so_far, beta), k)) }}
/ nullif({% if k %}{{ smaller(of_query(gainful), k) }}{% else %}{{ of_query(gainful) }}{% endif %}, 0)
