{#
title = "P-measure: the blended ratio at the first of the best documents returned"
title_zh = "P-measure：返回结果中增益最大的第一个文档处的混合比"
family = "gain"
params = { gain = "linear", beta = 1 }
reads = ["gain", "best_gain_above", "best_gain_found", "gainful_so_far", "cg_so_far", "ideal_cg_so_far"]
range = [0, 1]
empty = ["gainful"]
summary = "mean"
parts = "sum"
monotone = false
bounds = { beta = [0] }
aliases = { p-measure = {}, pmeasure = {} }
help = { beta = "weight of the gain found against the number of documents" }
formula = "BR(p) as in q_measure, p the first rank with the largest gain of all documents returned; 0 if none has a gain"
latex = '''
\text{P} = \text{BR}_r, \qquad r = \min \{\, i \mid g_i = \max_{j} g_j > 0 \,\}

\text{BR}_i = \frac{\sum_{j=1}^{i} \left( [g_j > 0] + \beta\, g_j \right)}{i + \beta \sum_{j=1}^{i} g^{*}_j}
'''
citation = "Sakai, On the properties of evaluation metrics for finding one highly relevant document, IPSJ Digital Courier 3, 2007"
doi = "10.2197/ipsjdc.3.643"
agrees = ["NTCIREVAL P-measure"]
#}
{% from "macros/ranking.sql" import blended_ratio, each, total %}
{% set preferred -%}
case
        when {{ best_gain_above.value }} < {{ best_gain_found.value }} and {{ gain.value }} = {{ best_gain_found.value }}
            then {{ blended_ratio(gainful_so_far, cg_so_far, ideal_cg_so_far, beta) }}
        else 0
    end
{%- endset %}
{{ total(each(gain, preferred)) }}
