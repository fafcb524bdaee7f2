{#
title = "mean grade of the documents seen by a user who wants t units of gain and knows how much was found"
title_zh = "INST：想得到 t 单位收益、并随所得调整的用户所看文档的平均等级"
family = "user"
params = { k = 1000, t = 1, min = 0, max = ["data", "number"] }
reads = ["inst_view", "place_grade"]
range = [0, 1]
summary = "mean"
parts = "sum"
bounds = { t = [0.5] }
renames = { inst = { min_rel = "min", max_rel = "max" } }
formula = "sum over i <= k of V(i) g(i), over the sum of V(i); V(i + 1) = V(i) ((i + t + T(i) - 1) / (i + t + T(i)))^2, T(i) what is still wanted after rank i"
latex = '''
\text{INST@}k = \frac{\sum_{i=1}^{k} V_i\, u_i}{\sum_{i=1}^{k} V_i}, \qquad V_1 = 1, \qquad V_{i+1} = V_i \left( \frac{i + t + T_i - 1}{i + t + T_i} \right)^{2}

T_i = t - \sum_{j=1}^{i} u_j
'''
citation = "Moffat, Bailey, Scholer and Thomas, INST: an adaptive metric for information retrieval evaluation, ADCS 2015"
doi = "10.1145/2838931.2838938"
#}
{% from "macros/ranking.sql" import at, total %}
{% from "macros/whole.sql" import whole %}
{{ total(at(inst_view, k, place_grade)) }}
/ nullif({{ whole(at(inst_view, k)) }}, 0)
