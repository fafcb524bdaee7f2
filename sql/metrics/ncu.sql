{#
title = "normalised cumulative utility: the mean utility for users who stop at one of the documents with a gain"
title_zh = "归一化累计效用（NCU）：用户停在某个有增益的文档时的平均效用"
family = "gain"
params = { gain = "linear", stops = ["graded", "rank"], utility = ["blended", "precision"], beta = 1, gamma = 0.95 }
reads = ["gain", "gainful", "ideal_gain", "gainful_so_far", "cg_so_far", "ideal_cg_so_far"]
range = [0, 1]
empty = ["gainful"]
summary = "mean"
parts = "sum"
monotone = false
bounds = { beta = [0], gamma = [0, 1] }
help = { stops = "how likely users stop at a document: graded (its gain) or rank (gamma^(documents with a gain above)), over the sum of that", utility = "blended (BR) or precision", beta = "weight of the gain found against the number of documents, in BR", gamma = "how likely users who found a document want another, with stops=rank" }
formula = "sum over ranks i with a gain of P(i) BR(i), BR as in q_measure and P(i) = gain(i) over the gain of all judged documents; stops=rank: P(i) = gamma^(c - 1) over the sum of gamma^(j - 1) for j = 1 to J, c documents with a gain in the top i and J judged; utility=precision: c / i in place of BR"
latex = '''
\text{NCU} = \frac{\sum_{i=1}^{n} g_i\, \text{BR}_i}{\sum_{i=1}^{J} g^{*}_i}, \qquad \text{BR}_i = \frac{\sum_{j=1}^{i} \left( [g_j > 0] + \beta\, g_j \right)}{i + \beta \sum_{j=1}^{i} g^{*}_j}

\text{stops=rank:}\ \ g_i \to [g_i > 0]\, \text{gamma}^{\,\sum_{j=1}^{i} [g_j > 0] - 1}, \quad g^{*}_i \to \text{gamma}^{\,i-1} \qquad \text{utility=precision:}\ \ \beta \to 0
'''
citation = "Sakai and Robertson, Modelling a user population for designing information retrieval metrics, EVIA 2008"
agrees = ["NTCIREVAL NCUgu,BR; with stops=rank NCUrb,BR; with utility=precision NCUgu,P and NCUrb,P"]
#}
{% from "macros/ranking.sql" import at, blended_ratio, each, of_query, total %}
{% from "macros/whole.sql" import whole %}
{% set worth %}{% if utility == "precision" %}{{ gainful_so_far.value }} / place{% else %}{{ blended_ratio(gainful_so_far, cg_so_far, ideal_cg_so_far, beta) }}{% endif %}{% endset %}
{% set chance %}{% if stops == "rank" %}power({{ gamma | literal }}, {{ gainful_so_far.value }} - 1){% else %}{{ gain.value }}{% endif %}{% endset %}
{% set stopped %}{{ chance }} * {{ worth }}{% endset %}
{{ total(each(gain, stopped)) }}
{% if stops == "rank" %}
* (1 - {{ gamma | literal }}) / nullif(1 - power({{ gamma | literal }}, {{ of_query(gainful) }}), 0)
{% else %}
/ nullif({{ whole(at(ideal_gain)) }}, 0)
{% endif %}
