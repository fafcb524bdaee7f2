{#
title = "mean grade of the documents seen by a user who wants t units of gain"
title_zh = "INSQ：想得到 t 单位收益的用户所看文档的平均等级"
family = "user"
params = { k = 1000, t = 1, min = 0, max = ["data", "number"] }
reads = ["every_place", "place_grade"]
range = [0, 1]
summary = "mean"
parts = "sum"
linear = true
bounds = { t = [0] }
renames = { insq = { min_rel = "min", max_rel = "max" } }
formula = "sum over i <= k of V(i) g(i), over the sum of V(i); V(i) = (2t / (i - 1 + 2t))^2"
latex = '''
\text{INSQ@}k = \frac{\sum_{i=1}^{k} V_i\, u_i}{\sum_{i=1}^{k} V_i}, \qquad V_i = \left( \frac{2t}{i - 1 + 2t} \right)^{2}
'''
citation = "Moffat, Scholer and Thomas, Models and metrics: IR evaluation as a user process, ADCS 2012"
doi = "10.1145/2407085.2407092"
#}
{% from "macros/ranking.sql" import each, total %}
{% from "macros/whole.sql" import whole %}
{% set doubt %}power(place - 1 + {{ (2 * t) | literal }}, 2){% endset %}
{% set found %}{{ place_grade.value }} / {{ doubt }}{% endset %}
{% set most %}{{ every_place.value }} / {{ doubt }}{% endset %}
{{ total(each(place_grade, found, k)) }}
/ nullif({{ whole(each(every_place, most, k)) }}, 0)
