{#
title = "discounted gain over that of a ranking with the largest relevance at every place"
title_zh = "缩放折损累计增益（SDCG）：与每个位置都取最大相关性的排序之比"
family = "gain"
params = { k = "cutoff required", min = 0, max = ["data", "number"] }
reads = ["every_place", "place_grade", "discount"]
range = [0, 1]
summary = "mean"
rises = true
parts = "sum"
linear = true
spellings = { dcg = { log2 = {} } }
renames = { sdcg = { min_rel = "min", max_rel = "max" } }
formula = "sum over i <= k of g(i) / log2(i + 1), over the sum of 1 / log2(i + 1)"
latex = '''
\text{SDCG@}k = \frac{\sum_{i=1}^{k} u_i\, d_i}{\sum_{i=1}^{k} d_i}, \qquad d_i = \frac{1}{\log_2(i + 1)}
'''
citation = "Azzopardi, Thomas and Moffat, cwl_eval: an evaluation tool for information retrieval, SIGIR 2019"
doi = "10.1145/3331184.3331398"
#}
{% from "macros/ranking.sql" import at, total %}
{% from "macros/whole.sql" import whole %}
{{ total(at(place_grade, k, discount)) }}
/ nullif({{ whole(at(every_place, k, discount)) }}, 0)
