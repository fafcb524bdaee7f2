{#
title = "mean grade of the documents seen by a user who stops after k or when satisfied with t"
title_zh = "宝石迷阵玩家模型（BPM）：看满 k 个或收益达到 t 即停的用户所看文档的平均等级"
family = "user"
params = { k = "cutoff required", t = 1, min = 0, max = ["data", "number"] }
reads = ["every_place", "place_grade", "grade_above"]
range = [0, 1]
summary = "mean"
parts = "sum"
monotone = false
bounds = { t = [0] }
renames = { bpm = { min_rel = "min", max_rel = "max" } }
formula = "mean of g over the first m ranks; m is the first where the sum of g reaches t, at most k"
latex = '''
\text{BPM@}k = \frac{1}{v} \sum_{i=1}^{v} u_i, \qquad v \text{ the first rank with } \sum_{i=1}^{v} u_i \ge t, \text{ at most } k
'''
citation = "Zhang, Liu, Li, Zhang, Xu and Ma, Evaluating web search with a bejeweled player model, SIGIR 2017"
doi = "10.1145/3077136.3080841"
#}
{% from "macros/ranking.sql" import total %}
{% from "macros/whole.sql" import whole %}
{% set viewed %}case when place <= {{ k }} and {{ grade_above.value }} < {{ t | literal }} - 0.000000001 then{% endset %}
{% set found %}{{ viewed }} {{ place_grade.value }} else 0 end{% endset %}
{% set most %}{{ viewed }} {{ every_place.value }} else 0 end{% endset %}
{{ total(found) }}
/ nullif({{ whole(most) }}, 0)
