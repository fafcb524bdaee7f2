{#
title = "share of the first k that is unjudged for every query"
title_zh = "语料空洞率：前 k 个结果中对任何查询都没有标注的占比"
family = "sets"
params = { k = "cutoff required" }
reads = ["shown", "judged_anywhere"]
range = [0, 1]
summary = "mean"
better = "lower"
monotone = false
aliases = { beir_hole = {} }
formula = "documents in the top k without a judgment for this query or any other, over k; hole counts those without one for this query"
in_words = true
latex = '''
\text{corpus hole@}k = \frac{1}{k} \sum_{i=1}^{K} \left( 1 - [i \text{ judged for some query}] \right)
'''
citation = "Thakur, Reimers, Rücklé, Srivastava and Gurevych, BEIR: a heterogeneous benchmark for zero-shot evaluation of information retrieval models, NeurIPS Datasets and Benchmarks 2021"
doi = "10.48550/arXiv.2104.08663"
agrees = ["BEIR Hole, as its code has it"]
#}
{% from "macros/ranking.sql" import at, total %}
(
    {{ total(at(shown, k)) }}
    - {{ total(at(judged_anywhere, k)) }}
) / {{ k }}
