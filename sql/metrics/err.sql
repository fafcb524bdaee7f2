{#
title = "expected reciprocal rank: where a user who stops at the first satisfying document stops"
title_zh = "期望倒数排名（ERR）：用户停在第一个令其满意的文档"
family = "user"
params = { k = "cutoff required", max = ["data", "number"] }
reads = ["stop", "stop_reached"]
range = [0, 1]
summary = "mean"
rises = true
parts = "sum"
formula = "sum over i <= k of p(i) / i times the product of 1 - p over the ranks above i, p = (2^relevance - 1) / 2^max"
latex = '''
\text{ERR@}k = \sum_{i=1}^{k} \frac{s_i}{i} \prod_{j=1}^{i-1} (1 - s_j), \qquad s_i = \frac{2^{\min(\mathit{rel}_i,\ \text{max})} - 1}{2^{\text{max}}}
'''
citation = "Chapelle, Metzler, Zhang and Grinspan, Expected reciprocal rank for graded relevance, CIKM 2009"
doi = "10.1145/1645953.1646033"
agrees = ["Elasticsearch expected_reciprocal_rank with maximum_relevance as max"]
#}
{% from "macros/ranking.sql" import each, total %}
{% set stopped %}{{ stop.value }} * {{ stop_reached.value }} / rank{% endset %}
{{ total(each(stop, stopped, k)) }}
