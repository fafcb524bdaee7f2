{#
title = "mean grade of the documents seen by a user who stops when satisfied"
title_zh = "NERR8：满意即停的用户所看文档的平均等级"
family = "user"
params = { k = "cutoff required", min = 0, max = ["data", "number"] }
reads = ["reached", "place_grade"]
range = [0, 1]
summary = "mean"
parts = "sum"
renames = { nerr8 = { min_rel = "min", max_rel = "max" } }
formula = "sum over i <= k of V(i) g(i), over the sum of V(i); V(i) is the product of 1 - g over the ranks above i, g the relevance between 0 and 1"
latex = '''
\text{NERR}_{8}\text{@}k = \frac{\sum_{i=1}^{k} V_i\, u_i}{\sum_{i=1}^{k} V_i}, \qquad V_i = \prod_{j=1}^{i-1} (1 - u_j)
'''
citation = "Azzopardi, Mackenzie and Moffat, ERR is not C/W/L: exploring the relationship between expected reciprocal rank and other metrics, ICTIR 2021"
doi = "10.1145/3471158.3472239"
#}
{% from "macros/ranking.sql" import at, total %}
{% from "macros/whole.sql" import whole %}
{{ total(at(reached, k, place_grade)) }}
/ nullif({{ whole(at(reached, k)) }}, 0)
