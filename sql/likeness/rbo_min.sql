{#
title = "lower bound of rank-biased overlap: what is certain whatever stands below what was seen"
title_zh = "排名偏置重叠（RBO）的下界：无论未见部分如何都成立的相似度"
family = "likeness"
params = { k = "cutoff", p = 0.9 }
reads = ["shared", "weight_above_place"]
range = [0, 1]
summary = "mean"
bounds = { p = [0, 1] }
help = { p = "persistence: the probability of going on to the next depth" }
formula = "(1 - p) / p * (sum over depths d <= l of p^d (X(d) - X(l)) / d - X(l) ln(1 - p)), X(d) the documents in the top d of both, l the length of the longer ranking, cut at k"
latex = '''
\text{RBO}_{\text{min}} = \frac{1 - p}{p} \left( \sum_{j=1}^{l} \frac{X_j - X_l}{j}\, p^{j} - X_l \ln(1 - p) \right), \qquad X_j = \left| A_j \cap B_j \right|
'''
citation = "Webber, Moffat and Zobel, A similarity measure for indefinite rankings, ACM TOIS 28(4), 2010, equation 11"
doi = "10.1145/1852102.1852106"
#}
{# A document that both hold from depth m on adds (1 - p) / p * (p^m / m + p^(m + 1) / (m + 1) + ...), without end. #}
{% from "macros/ranking.sql" import each, total %}
{% set below %}-ln(1 - {{ p | literal }}) - {{ weight_above_place.value }}{% endset %}
(1 - {{ p | literal }}) / {{ p | literal }} * {{ total(each(shared, shared.value ~ " * (" ~ below ~ ")", k)) }}
