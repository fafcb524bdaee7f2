{#
title = "area under the ROC curve of each query: how often a relevant document scores above another one"
title_zh = "分组 AUC（GAUC）：每个查询（用户）各自的 ROC 曲线下面积"
family = "auc"
params = { rel = 1, weight = ["none", "rows", "positives"], pairless = ["undefined", "zero", "half", "one"] }
reads = ["pairs_won", "group_relevant", "group_others", "retrieved"]
reads_with = { retrieved = { pairless = ["zero", "half", "one"] } }
range = [0, 1]
summary = "mean"
linear = true
undefined = "with pairless=undefined, the documents returned are all relevant, or none is"
help = { weight = "what weighs a query in the mean: none, rows (documents returned) or positives (relevant ones returned)", pairless = "value of a query whose documents returned are all relevant, or of which none is: undefined (left out), zero, half or one; 0 where nothing was returned" }
formula = "share of pairs of a relevant and another document returned where the relevant one scores higher, ties counting one half"
latex = '''
\text{GAUC} = \frac{1}{H_n\, (n - H_n)} \sum_{i=1}^{n} \sum_{j=1}^{n} h_i\, (1 - h_j) \left( [\text{score}_i > \text{score}_j] + \frac{1}{2} [\text{score}_i = \text{score}_j] \right)
'''
citation = "Zhu, Jin, Tan, Pan, Zeng, Li and Gai, Optimized cost per click in Taobao display advertising, KDD 2017"
doi = "10.1145/3097983.3098134"
agrees = ["RecBole GAUC with weight=positives"]
#}
{% from "macros/pairs.sql" import of_pairs %}
{% from "macros/ranking.sql" import at, total %}
{% if weighing %}
sum({{ group_relevant.value }}){% if weight == "rows" %} + sum({{ group_others.value }}){% endif +%}
{% else %}
{{ of_pairs(total(at(pairs_won)), total(at(group_relevant)) ~ " * " ~ total(at(group_others)), pairless, retrieved) }}
{% endif %}
