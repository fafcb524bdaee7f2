{#
title = "share of the first k that is unjudged"
title_zh = "未标注率：前 k 个结果中无标注的占比"
family = "sets"
params = { k = "cutoff required" }
reads = ["hit", "miss", "retrieved"]
range = [0, 1]
summary = "mean"
better = "lower"
linear = true
aliases = { unjudged = {} }
formula = "documents in the top k without a judgment of 0 or more, over k"
in_words = true
latex = '''
\text{unj@}k = \frac{K - H_K - m_K}{k}
'''
citation = "trec_eval 10, measure unj"
#}
{% from "macros/ranking.sql" import at, of_query, smaller, total %}
(
    {{ smaller(of_query(retrieved), k) }}
    - {{ total(at(hit, k)) }}
    - {{ total(at(miss, k)) }}
) / {{ k }}
