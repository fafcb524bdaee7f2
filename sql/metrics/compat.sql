{#
title = "compatibility: rank-biased overlap with the best ranking, which is the one most like this"
title_zh = "兼容度（compatibility）：与最接近的理想排序的排名偏置重叠"
family = "user"
params = { p = 0.95, normalize = ["yes", "no"] }
reads = ["agreement", "agreement_best", "agreement_weight"]
range = [0, 1]
empty = ["gainful"]
summary = "mean"
bounds = { p = [0, 1] }
spellings = { normalize = { true = { normalize = "yes" }, false = { normalize = "no" } } }
help = { normalize = "yes: divided by what the best ranking reaches; no: by the weight of all depths", p = "persistence: how slowly the weight of a depth falls" }
formula = "sum over depths d to the longer of both rankings of p^(d - 1) * (documents in the top d of both) / d, over the same of the best ranking with itself"
in_words = true
latex = '''
\text{compat} = \frac{\sum_{j=1}^{D} p^{j-1}\, \left| A_j \cap I_j \right| / j}{\sum_{j=1}^{D} p^{j-1}\, \left| I_j \right| / j}, \qquad D = \max(n, \left| I \right|)

I_j \text{ the first } j \text{ documents judged above 0, the most relevant first, then as ranked}

\text{normalize=no:}\ \ \left| I_j \right| / j \to 1
'''
citation = "Clarke, Vtyurina and Smucker, Assessing top-k preferences, ACM TOIS 39(3), 2021"
doi = "10.1145/3451161"
#}
{% from "macros/ranking.sql" import at, total %}
{% if normalize == "yes" %}
{{ total(at(agreement)) }} / nullif({{ total(at(agreement_best)) }}, 0)
{% else %}
{{ total(at(agreement)) }} / nullif({{ total(at(agreement_weight)) }}, 0)
{% endif %}
