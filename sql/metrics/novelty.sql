{#
title = "novelty: mean information of the first k, in bits"
title_zh = "新颖性：前 k 个结果的平均自信息（比特）"
family = "beyond"
params = { k = "cutoff required", missing = ["known", "omit"] }
reads = ["self_information", "shown", "known"]
reads_with = { known = { missing = "omit" } }
undefined = "with missing=omit, none of the first k stands in the history"
summary = "mean"
parts = "sum"
help = { missing = "a document that the history lacks is known to one user (known), or left out (omit)" }
formula = "mean over the documents in the top k of -log2(users who know it / users of the history); an unknown document counts as known to one, or is left out"
latex = '''
\text{novelty@}k = \frac{1}{K} \sum_{i=1}^{K} \log_2 \frac{U}{U_i}
'''
citation = "Vargas and Castells, Rank and relevance in novelty and diversity metrics for recommender systems, RecSys 2011"
doi = "10.1145/2043932.2043955"
#}
{% from "macros/ranking.sql" import at, each, total %}
{% from "macros/whole.sql" import whole %}
{% if missing == "omit" %}
case
    when {{ whole(at(shown, k)) }} > 0 then
        {{ total(each(known, known.value ~ " * " ~ self_information.value, k)) }}
        / nullif({{ whole(at(known, k)) }}, 0)
    else 0
end
{% else %}
coalesce(
    {{ total(at(self_information, k)) }}
    / nullif({{ whole(at(shown, k)) }}, 0), 0
)
{% endif %}
