{#
title = "O-measure: the blended ratio at the first document with a gain"
title_zh = "O-measure：第一个有增益的文档处的混合比"
family = "gain"
params = { gain = "linear", beta = 1 }
reads = ["gain", "gainful_so_far", "cg_so_far", "ideal_cg_so_far"]
range = [0, 1]
empty = ["gainful"]
summary = "mean"
parts = "sum"
bounds = { beta = [0] }
aliases = { o-measure = {}, omeasure = {} }
help = { beta = "weight of the gain found against the number of documents: near 0, it is the reciprocal rank" }
formula = "(1 + beta * gain(i)) / (i + beta * ideal gain of the top i) at the first rank i with a gain; 0 if there is none"
latex = '''
\text{O} = \frac{1 + \beta\, g_o}{o + \beta \sum_{j=1}^{o} g^{*}_j}, \qquad o = \min \{\, i \mid g_i > 0 \,\}
'''
citation = "Sakai, On the task of finding one highly relevant document with high precision, Information and Media Technologies 1(2), 2006"
doi = "10.11185/imt.1.1025"
agrees = ["NTCIREVAL O-measure"]
#}
{% from "macros/ranking.sql" import blended_ratio, each, total %}
{% set first -%}
case
        when {{ gainful_so_far.value }} = 1 then {{ blended_ratio(gainful_so_far, cg_so_far, ideal_cg_so_far, beta) }}
        else 0
    end
{%- endset %}
{{ total(each(gain, first)) }}
