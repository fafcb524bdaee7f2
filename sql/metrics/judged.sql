{#
title = "share of the first k that was judged, relevant or not"
title_zh = "标注率：前 k 个结果中有标注的占比"
family = "sets"
params = { k = "cutoff" }
reads = ["judged", "retrieved"]
range = [0, 1]
summary = "mean"
parts = "sum"
linear = true
formula = "judged documents in the top k, over the smaller of k and the documents returned; 0 if none was"
in_words = true
latex = '''
\text{judged@}k = \frac{1}{K} \sum_{i=1}^{K} [\text{judged}_i]
'''
citation = "MacAvaney, Macdonald and Ounis, Streamlining evaluation with ir-measures, ECIR 2022"
#}
{% from "macros/ranking.sql" import at, of_query, smaller, total %}
{% if k %}
{{ total(at(judged, k)) }} / nullif({{ smaller(of_query(retrieved), k) }}, 0)
{% else %}
{{ total(at(judged)) }} / nullif({{ of_query(retrieved) }}, 0)
{% endif %}
