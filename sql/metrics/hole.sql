{#
title = "share of the first k without any judgment"
title_zh = "空洞率（Hole）：前 k 个结果中没有任何标注的占比"
family = "sets"
params = { k = "cutoff required" }
reads = ["judged", "retrieved"]
range = [0, 1]
summary = "mean"
better = "lower"
linear = true
aliases = { holes = {} }
formula = "unjudged documents of the query in the top k, over k; where k are returned, it is 1 - judged@k"
in_words = true
latex = '''
\text{Hole@}k = \frac{1}{k} \sum_{i=1}^{K} \left( 1 - [\text{judged}_i] \right)
'''
citation = "Thakur, Reimers, Rücklé, Srivastava and Gurevych, BEIR: a heterogeneous benchmark for zero-shot evaluation of information retrieval models, NeurIPS Datasets and Benchmarks 2021"
doi = "10.48550/arXiv.2104.08663"
agrees = ["BEIR Hole as its paper has it; its code is corpus_hole"]
#}
{% from "macros/ranking.sql" import at, of_query, smaller, total %}
(
    {{ smaller(of_query(retrieved), k) }}
    - {{ total(at(judged, k)) }}
) / {{ k }}
