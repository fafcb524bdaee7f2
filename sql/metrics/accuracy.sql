{#
title = "share of pairs of a relevant and another document returned with the relevant one above"
title_zh = "排序准确率：前 k 个结果里的相关与不相关文档对中，相关者在前的占比"
family = "auc"
params = { k = "cutoff", rel = 1, pairless = ["undefined", "bounds"] }
reads = ["hit", "hits", "retrieved"]
range = [0, 1]
mistaken = "the share of queries with a relevant document, which sentence-transformers calls accuracy@k: that is success@k"
undefined = "the first k are all relevant, or none is, unless pairless=bounds"
summary = "mean"
monotone = false
help = { pairless = "where the first k are all relevant, or none is: undefined (no value), or bounds (1, and 0)" }
formula = "1 - (pairs in the top k whose relevant document is below) / (relevant * others)"
latex = '''
\text{accuracy@}k = 1 - \frac{\sum_{i=1}^{K} h_i\, (i - H_i)}{H_K\, (K - H_K)}
'''
citation = "MacAvaney, Macdonald and Ounis, Streamlining evaluation with ir-measures, ECIR 2022"
#}
{% from "macros/ranking.sql" import at, each, of_query, smaller, total %}
{% set returned %}{% if k %}{{ smaller(of_query(retrieved), k) }}{% else %}{{ of_query(retrieved) }}{% endif %}{% endset %}
{% set above %}rank - {{ hits.value }}{% endset %}
{% if pairless == "bounds" %}
coalesce(
    1 - {{ total(each(hit, above, k)) }}
    / nullif({{ total(at(hit, k)) }} * ({{ returned }} - {{ total(at(hit, k)) }}), 0),
    case when {{ total(at(hit, k)) }} > 0 then 1 else 0 end
)
{% else %}
1 - {{ total(each(hit, above, k)) }}
/ nullif({{ total(at(hit, k)) }} * ({{ returned }} - {{ total(at(hit, k)) }}), 0)
{% endif %}
