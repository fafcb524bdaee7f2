{#
title = "expected reciprocal rank over that of the judgments in their best order"
title_zh = "归一化期望倒数排名（nERR）：与理想排序的期望倒数排名之比"
family = "user"
params = { k = "cutoff required", gain = "exp2", max = ["data", "none", "number"] }
reads = ["stop", "stop_reached", "ideal_stopped"]
range = [0, 1]
empty = ["gainful"]
summary = "mean"
parts = "sum"
help = { max = "as of err: a number, data, or none" }
formula = "ERR@k / ERR@k of the best order of the judged documents"
latex = '''
\text{nERR@}k = \frac{\text{ERR@}k}{\sum_{i=1}^{k} \frac{s^{*}_i}{i} \prod_{j=1}^{i-1} (1 - s^{*}_j)}
'''
citation = "Sakai and Song, Evaluating diversified search results using per-intent graded relevance, SIGIR 2011"
doi = "10.1145/2009916.2010055"
#}
{% from "macros/ranking.sql" import at, each, total %}
{% from "macros/whole.sql" import whole %}
{% set stopped %}{{ stop.value }} * {{ stop_reached.value }} / rank{% endset %}
{{ total(each(stop, stopped, k)) }}
/ nullif({{ whole(at(ideal_stopped, k)) }}, 0)
