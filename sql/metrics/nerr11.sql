{#
title = "the same as nerr8 for a user who wants t units of gain"
title_zh = "NERR11：满意即停、想得到 t 单位收益的用户所看文档的平均等级"
family = "user"
params = { k = 1000, t = 1, min = 0, max = ["data", "number"] }
reads = ["reached", "place_grade"]
range = [0, 1]
summary = "mean"
parts = "sum"
bounds = { t = [0] }
renames = { nerr11 = { min_rel = "min", max_rel = "max" } }
formula = "sum over i <= k of V(i) g(i), over the sum of V(i); V(i) is (2t / (i - 1 + 2t))^2 times the product of 1 - g over the ranks above i"
latex = '''
\text{NERR}_{11}\text{@}k = \frac{\sum_{i=1}^{k} V_i\, u_i}{\sum_{i=1}^{k} V_i}, \qquad V_i = \left( \frac{2t}{i - 1 + 2t} \right)^{2} \prod_{j=1}^{i-1} (1 - u_j)
'''
citation = "Azzopardi, Mackenzie and Moffat, ERR is not C/W/L: exploring the relationship between expected reciprocal rank and other metrics, ICTIR 2021"
doi = "10.1145/3471158.3472239"
#}
{% from "macros/ranking.sql" import each, total %}
{% from "macros/whole.sql" import whole %}
{% set viewed %}{{ reached.value }} / power(place - 1 + {{ (2 * t) | literal }}, 2){% endset %}
{% set found %}{{ reached.value }} * {{ place_grade.value }} / power(place - 1 + {{ (2 * t) | literal }}, 2){% endset %}
{{ total(each(reached, found, k)) }}
/ nullif({{ whole(each(reached, viewed, k)) }}, 0)
