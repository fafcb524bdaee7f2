{#
title = "expected reciprocal rank: where a user who stops at the first satisfying document stops"
title_zh = "期望倒数排名（ERR）：用户停在第一个令其满意的文档"
family = "user"
params = { k = "cutoff required", gain = "exp2", max = ["data", "query", "none", "number"] }
reads = ["stop", "stop_reached"]
range = [0, 1]
summary = "mean"
rises = true
rises_with = { max = ["data", "none", "number"] }
parts = "sum"
help = { max = "relevance that satisfies most: a number, data (--top-relevance, or the largest of all judgments), query (the largest of the query); none: the gain is the probability itself; with a gain table, data is the largest gain of it" }
formula = "sum over i <= k of p(i) / i times the product of 1 - p over the ranks above i, p = gain / (1 + the gain of max): (2^relevance - 1) / 2^max with gain=exp2"
latex = '''
\text{ERR@}k = \sum_{i=1}^{k} \frac{s_i}{i} \prod_{j=1}^{i-1} (1 - s_j), \qquad s_i = \frac{g(\min(\mathit{rel}_i,\ \text{max}))}{1 + g(\text{max})}

\text{max=none:}\ \ s_i = g(\mathit{rel}_i)
'''
citation = "Chapelle, Metzler, Zhang and Grinspan, Expected reciprocal rank for graded relevance, CIKM 2009"
doi = "10.1145/1645953.1646033"
agrees = ["Elasticsearch expected_reciprocal_rank with maximum_relevance as max", "CatBoost ERR with gain=linear and max=none"]
#}
{% from "macros/ranking.sql" import each, total %}
{% set stopped %}{{ stop.value }} * {{ stop_reached.value }} / rank{% endset %}
{{ total(each(stop, stopped, k)) }}
