{#
title = "overlap: the share of the first k places that both rankings fill with the same documents"
title_zh = "重叠率：两个排序的前 k 个结果中相同文档的占比"
family = "likeness"
params = { k = "cutoff required" }
reads = ["shared"]
range = [0, 1]
summary = "mean"
formula = "documents in the top k of both rankings, over k"
latex = '''
\text{overlap@}k = \frac{\left| A_k \cap B_k \right|}{k}
'''
citation = "Fagin, Kumar and Sivakumar, Comparing top k lists, SIAM Journal on Discrete Mathematics 17(1), 2003"
doi = "10.1137/S0895480102412856"
#}
{% from "macros/ranking.sql" import at, total %}
{{ total(at(shared, k)) }} / {{ k }}
