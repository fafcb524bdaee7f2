{#
title = "Jaccard similarity of the first k of both rankings"
title_zh = "Jaccard 相似系数：两个排序的前 k 个结果之间"
family = "likeness"
params = { k = "cutoff required" }
reads = ["shared", "returned", "baseline_returned"]
range = [0, 1]
summary = "mean"
formula = "documents in the top k of both rankings, over documents in the top k of either"
latex = '''
\text{Jaccard@}k = \frac{\left| A_k \cap B_k \right|}{\left| A_k \cup B_k \right|}
'''
citation = "Jaccard, Etude comparative de la distribution florale dans une portion des Alpes et du Jura, 1901"
doi = "10.5169/seals-266450"
#}
{% from "macros/ranking.sql" import at, of_query, smaller, total %}
{{ total(at(shared, k)) }} / (
    {{ smaller(of_query(returned), k) }}
    + {{ smaller(of_query(baseline_returned), k) }}
    - {{ total(at(shared, k)) }}
)
