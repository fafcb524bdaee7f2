{#
title = "average overlap: the mean over the depths down to k of the share of documents in common"
title_zh = "平均重叠率（AO）：截至 k 的各深度上相同文档占比的平均"
family = "likeness"
params = { k = "cutoff" }
reads = ["shared", "share_above_place", "returned", "baseline_returned"]
range = [0, 1]
summary = "mean"
aliases = { ao = {} }
formula = "mean over the depths d from 1 to K of (documents in the top d of both rankings) / d, K the length of the shorter ranking, cut at k; 0 where one of them is empty"
in_words = true
latex = '''
\text{AO@}k = \frac{1}{s} \sum_{j=1}^{s} \frac{\left| A_j \cap B_j \right|}{j}, \qquad s \text{ the length of the shorter ranking, cut at } k
'''
citation = "Webber, Moffat and Zobel, A similarity measure for indefinite rankings, ACM TOIS 28(4), 2010"
doi = "10.1145/1852102.1852106"
agrees = ["the package rbo with p=1"]
#}
{# A document that both hold from depth m on is in common at m, m + 1, ..., s: the sum of 1 / d down to s less that above m. #}
{% from "macros/ranking.sql" import each, of_query, total %}
{% set shorter %}least({{ of_query(returned) }}, {{ of_query(baseline_returned) }}{% if k %}, {{ k }}{% endif %}){% endset %}
{% set last %}least({{ returned.value }}, {{ baseline_returned.value }}{% if k %}, {{ k }}{% endif %}){% endset %}
{% set counted %}case when place <= {{ last }} then {{ shared.value }} else 0 end{% endset %}
{% set above %}case when place <= {{ last }} then {{ share_above_place.value }} else 0 end{% endset %}
(
    {{ total(each(shared, counted)) }} * list_sum([1.0 / depth for depth in range(1, cast({{ shorter }} as bigint) + 1)])
    - {{ total(each(shared, above)) }}
) / nullif({{ shorter }}, 0)
