{#
title = "surprisal: mean information of the first k, over the largest possible"
title_zh = "惊异度：前 k 个结果的平均自信息，除以最大可能值"
family = "beyond"
params = { k = "cutoff required", norm = ["shown", "k"] }
reads = ["self_information", "top_information", "shown"]
range = [0, 1]
undefined = "the history has only one user"
summary = "mean"
parts = "sum"
help = { norm = "divided by the documents shown, or by k however few they are" }
formula = "mean over the documents in the top k of -log2(users who know it / users) / log2(users); 1 for an unknown document"
latex = '''
\text{surprisal@}k = \frac{1}{K} \sum_{i=1}^{K} \frac{\log_2 (U / U_i)}{\log_2 U}

\text{norm=k:}\ \ K \to k
'''
citation = "Vargas and Castells, Rank and relevance in novelty and diversity metrics for recommender systems, RecSys 2011"
doi = "10.1145/2043932.2043955"
#}
{% from "macros/ranking.sql" import at, total %}
{% from "macros/whole.sql" import whole %}
case
    when {{ whole(at(shown)) }} = 0 then 0
{% if norm == "k" %}
    else {{ total(at(self_information, k)) }} / nullif(max({{ top_information.value }}) * {{ k }}, 0)
{% else %}
    else {{ total(at(self_information, k)) }} / nullif({{ whole(at(top_information, k)) }}, 0)
{% endif %}
end
