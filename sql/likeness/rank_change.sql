{#
title = "mean rank change: by how many places the documents that both rankings hold have moved"
title_zh = "平均排名变化：两个排序共有的文档移动了多少名"
family = "likeness"
params = {}
reads = ["moved", "shared"]
summary = "mean"
undefined = "no document is in both"
formula = "sum over documents in both rankings of |rank - rank in the baseline|, over their number"
latex = '''
\text{rank change} = \frac{1}{\left| A \cap B \right|} \sum_{e \in A \cap B} \left| \text{rank}_A(e) - \text{rank}_B(e) \right|
'''
citation = "Diaconis and Graham, Spearman's footrule as a measure of disarray, Journal of the Royal Statistical Society B 39(2), 1977"
doi = "10.1111/j.2517-6161.1977.tb01624.x"
#}
{% from "macros/ranking.sql" import at, total %}
{{ total(at(moved)) }} / nullif({{ total(at(shared)) }}, 0)
