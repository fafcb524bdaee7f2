{#
title = "inferred average precision: its expected value where only a sample of the documents was judged"
title_zh = "推断平均精度（infAP）：只标注了一部分文档时平均精度的期望"
family = "binary"
params = { rel = 1 }
reads = ["hit", "hits", "misses", "negatives", "relevant"]
range = [0, 1]
empty = ["relevant"]
summary = "mean"
parts = "sum"
monotone = false
formula = "mean over the R relevant documents of the expected precision at their ranks i, the relevance of unjudged documents inferred; a negative judgment is of a document in the pool that was not judged"
in_words = true
latex = '''
\text{infAP} = \frac{1}{R} \sum_{i=1}^{n} h_i \left( \frac{1}{i} + \frac{H_i - 1 + m_i + z_i}{i} \cdot \frac{H_i - 1 + \varepsilon}{H_i - 1 + m_i + 2\varepsilon} \right)

z_i = \sum_{j=1}^{i} [\mathit{rel}_j < 0], \qquad \varepsilon = 0.00001
'''
citation = "Yilmaz and Aslam, Estimating average precision with incomplete and imperfect judgments, CIKM 2006"
doi = "10.1145/1183614.1183633"
#}
{% from "macros/ranking.sql" import each, of_query, total %}
{% set precision -%}
{{ one }} / rank
    + ({{ hits.value }} - 1 + {{ misses.value }} + {{ negatives.value }}) * {{ one }} / rank
    * ({{ hits.value }} - 1 + 0.00001) / ({{ hits.value }} - 1 + {{ misses.value }} + 0.00002)
{%- endset %}
{{ total(each(hit, precision)) }}
/ nullif({{ of_query(relevant) }}, 0)
