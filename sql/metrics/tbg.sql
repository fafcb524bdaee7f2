{#
title = "time-biased gain: the relevant documents that a user saves, who reads at a known speed and stops after a while"
title_zh = "时间偏置增益（TBG）：以一定速度阅读、随时间离开的用户所保存的相关文档数"
family = "user"
params = { k = "cutoff", half_life = 224, rel = 1 }
reads = ["shown_hit", "seconds_above"]
summary = "mean"
parts = "sum"
bounds = { half_life = [0] }
help = { half_life = "seconds after which half of the users have stopped" }
formula = "0.4928 * sum over relevant ranks i <= k of 2^(-T(i) / half_life), T(i) the sum over the ranks j above of 4.4 + P(j) (0.018 * words of the document + 7.8) seconds, P(j) = 0.64 for a relevant document and 0.39 for another: the constants as published"
in_words = true
latex = '''
\text{TBG@}k = 0.64 \cdot 0.77 \sum_{i=1}^{k} h_i\, 2^{-T_i / \text{half life}}, \qquad T_i = \sum_{j=1}^{i-1} \left( 4.4 + \left( 0.39 + 0.25\, h_j \right) \left( 0.018\, \text{length}_j + 7.8 \right) \right)
'''
citation = "Smucker and Clarke, Time-based calibration of effectiveness measures, SIGIR 2012"
doi = "10.1145/2348283.2348300"
#}
{# After 700 half-lives nobody is left, and some engines have no number so small. #}
{% from "macros/ranking.sql" import each, total %}
{% set half %}{{ half_life | literal }}{% endset %}
{% set saved -%}
case
        when {{ seconds_above.value }} < 700 * {{ half }} then {{ shown_hit.value }} * exp(-ln(2.0) * {{ seconds_above.value }} / {{ half }})
        else 0
    end
{%- endset %}
0.4928 * {{ total(each(shown_hit, saved, k)) }}
