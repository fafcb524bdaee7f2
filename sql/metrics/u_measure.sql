{#
title = "U-measure: the gain of the documents, each discounted by how much text a user has read at its end"
title_zh = "U-measure：文档增益之和，按用户读到该文档末尾时已读的文本量折损"
family = "user"
params = { k = "cutoff", gain = "linear", text = 132000, unit = 1 }
reads = ["shown_gain", "characters_read"]
summary = "mean"
parts = "sum"
bounds = { text = [0], unit = [0] }
aliases = { u-measure = {}, umeasure = {} }
help = { text = "characters after which nobody reads on", unit = "characters in a unit of length: about 6 where lengths are words" }
formula = "sum over ranks i <= k of gain(i) * max(0, 1 - pos(i) / text), pos(i) the sum over the ranks j <= i of 200 characters, a snippet, and for documents with a gain of a fifth of their length"
in_words = true
latex = '''
\text{U@}k = \sum_{i=1}^{k} g_i \max \left( 0,\ 1 - \frac{1}{\text{text}} \sum_{j=1}^{i} \left( 200 + 0.2\, [g_j > 0]\, \text{length}_j \cdot \text{unit} \right) \right)
'''
citation = "Sakai and Dou, Summaries, ranked retrieval and sessions: a unified framework for information access evaluation, SIGIR 2013"
doi = "10.1145/2484028.2484031"
#}
{% from "macros/ranking.sql" import each, total %}
{% set limit %}{{ text | literal }}{% endset %}
{% set read -%}
case
        when {{ characters_read.value }} < {{ limit }} then {{ shown_gain.value }} * (1 - {{ characters_read.value }} / {{ limit }})
        else 0
    end
{%- endset %}
{{ total(each(shown_gain, read, k)) }}
