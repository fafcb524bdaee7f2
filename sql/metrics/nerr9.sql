{#
title = "the same as nerr8 for a user who grows impatient with the rank"
title_zh = "NERR9：满意即停、越往后越没有耐心的用户所看文档的平均等级"
family = "user"
params = { k = "cutoff required", min = 0, max = ["data", "number"] }
reads = ["reached", "place_grade"]
range = [0, 1]
summary = "mean"
parts = "sum"
renames = { nerr9 = { min_rel = "min", max_rel = "max" } }
formula = "sum over i <= k of V(i) g(i), over the sum of V(i); V(i) is 1/i times the product of 1 - g over the ranks above i"
latex = '''
\text{NERR}_{9}\text{@}k = \frac{\sum_{i=1}^{k} V_i\, u_i}{\sum_{i=1}^{k} V_i}, \qquad V_i = \frac{1}{i} \prod_{j=1}^{i-1} (1 - u_j)
'''
citation = "Azzopardi, Mackenzie and Moffat, ERR is not C/W/L: exploring the relationship between expected reciprocal rank and other metrics, ICTIR 2021"
doi = "10.1145/3471158.3472239"
#}
{% from "macros/ranking.sql" import each, total %}
{% from "macros/whole.sql" import whole %}
{% set viewed %}{{ reached.value }} / place{% endset %}
{% set found %}{{ reached.value }} * {{ place_grade.value }} / place{% endset %}
{{ total(each(reached, found, k)) }}
/ nullif({{ whole(each(reached, viewed, k)) }}, 0)
