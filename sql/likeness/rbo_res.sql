{#
title = "residual of rank-biased overlap: how far it may be above its lower bound"
title_zh = "排名偏置重叠（RBO）的残差：最多可比其下界高多少"
family = "likeness"
params = { k = "cutoff", p = 0.9 }
reads = ["shared", "returned", "baseline_returned"]
range = [0, 1]
summary = "mean"
bounds = { p = [0, 1] }
aliases = { rbo_residual = {} }
help = { p = "persistence: the probability of going on to the next depth" }
formula = "p^s + p^l - p^f - (1 - p) / p * (s * T(s, f) + l * T(l, f) + X * (ln(1 / (1 - p)) - T(0, f))), T(a, b) the sum of p^d / d over the depths d from a + 1 to b, s and l the lengths of the shorter and the longer ranking, cut at k, X the documents in both, f = s + l - X"
latex = '''
\text{RBO}_{\text{res}} = p^{s} + p^{l} - p^{f} - \frac{1 - p}{p} \left( s \sum_{j=s+1}^{f} \frac{p^{j}}{j} + l \sum_{j=l+1}^{f} \frac{p^{j}}{j} + X_l \left( \ln \frac{1}{1 - p} - \sum_{j=1}^{f} \frac{p^{j}}{j} \right) \right)

f = s + l - X_l, \qquad X_l = \left| A_l \cap B_l \right|, \qquad s \le l \text{ the lengths of both rankings, cut at } k
'''
citation = "Webber, Moffat and Zobel, A similarity measure for indefinite rankings, ACM TOIS 28(4), 2010, equation 30"
doi = "10.1145/1852102.1852106"
#}
{% from "macros/ranking.sql" import at, of_query, total %}
{% set first %}{{ of_query(returned) }}{% endset %}
{% set second %}{{ of_query(baseline_returned) }}{% endset %}
{% set s %}least({{ first }}, {{ second }}{% if k %}, {{ k }}{% endif %}){% endset %}
{% set l %}{% if k %}least(greatest({{ first }}, {{ second }}), {{ k }}){% else %}greatest({{ first }}, {{ second }}){% endif %}{% endset %}
{% set common %}{{ total(at(shared, k)) }}{% endset %}
{% set f %}({{ s }} + {{ l }} - {{ common }}){% endset %}
{% macro weight_of_depths(first, last) %}coalesce(list_sum([power({{ p | literal }}, depth) / depth for depth in range(cast({{ first }} as bigint) + 1, cast({{ last }} as bigint) + 1)]), 0){% endmacro %}
power({{ p | literal }}, {{ s }}) + power({{ p | literal }}, {{ l }}) - power({{ p | literal }}, {{ f }})
- (1 - {{ p | literal }}) / {{ p | literal }} * (
    {{ s }} * {{ weight_of_depths(s, f) }}
    + {{ l }} * {{ weight_of_depths(l, f) }}
    + {{ common }} * (-ln(1 - {{ p | literal }}) - {{ weight_of_depths(0, f) }})
)
