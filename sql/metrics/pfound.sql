{#
title = "PFound: the probability that a user finds what is wanted, who may give up before each further document"
title_zh = "PFound：用户找到所需内容的概率，用户在看每个后续文档之前都可能放弃"
family = "user"
params = { k = "cutoff", decay = 0.85, min = 0, max = ["data", "number"] }
reads = ["doc_grade", "doc_reached"]
range = [0, 1]
summary = "mean"
rises = true
parts = "sum"
within = { decay = [0, 1] }
help = { decay = "the probability of looking at the next document where one was not what is wanted" }
formula = "sum over i <= k of g(i) decay^(i - 1) times the product of 1 - g over the ranks above i, g the relevance between min (0) and max (1); max=1 where relevances are probabilities"
in_words = true
latex = '''
\text{PFound@}k = \sum_{i=1}^{k} u_i\, \text{decay}^{\,i-1} \prod_{j=1}^{i-1} (1 - u_j)
'''
citation = "Gulin, Karpovich, Raskovalov and Segalovich, Yandex at ROMIP'2009: optimization of ranking algorithms by machine learning methods, ROMIP 2009"
agrees = ["CatBoost PFound with max=1"]
#}
{% from "macros/ranking.sql" import each, power_of, total %}
{% set found %}{{ doc_grade.value }} * {{ doc_reached.value }}{% if decay != 1 %} * {{ power_of(decay, doc_grade) }}{% endif %}{% endset %}
{{ total(each(doc_grade, found, k)) }}
