{#
title = "DCG where a subtopic counts less each time it is seen again, over its upper bound"
title_zh = "α-DCG：子主题重复出现时增益递减的折损累计增益，除以其上界"
family = "subtopics"
params = { k = "cutoff required", alpha = 0.5, rel = 1, weight = ["none", "item", "within"] }
reads = ["novelty", "discount", "every_place", "subtopics", "relevant_weight"]
reads_with = { relevant_weight = { weight = ["item", "within"] } }
range = [0, 1]
empty = ["subtopics"]
summary = "mean"
parts = "sum"
within = { alpha = [0, 1] }
formula = "sum over i <= k of G(i) / log2(i + 1), over S times the sum of (1 - alpha)^(i - 1) / log2(i + 1), S subtopics; G as in alpha_ndcg"
latex = '''
\alpha\text{-DCG@}k = \frac{\sum_{i=1}^{k} G_i\, d_i}{S \sum_{i=1}^{k} (1 - \alpha)^{i-1}\, d_i}, \qquad d_i = \frac{1}{\log_2(i + 1)}

G_i = \sum_{x=1}^{S} c_{ix}\,(1 - \alpha)^{C_{ix}}
'''
citation = "Clarke, Kolla, Cormack, Vechtomova, Ashkan, Büttcher and MacKinnon, Novelty and diversity in information retrieval evaluation, SIGIR 2008"
doi = "10.1145/1390334.1390446"
#}
{% from "macros/ranking.sql" import at, each, of_query, total %}
{% from "macros/whole.sql" import whole %}
{% set most %}{{ every_place.value }} * {{ discount.place }} * power({{ (1 - alpha) | literal }}, place - 1){% endset %}
{% if weighing %}
{{ of_query(relevant_weight) }}
{% else %}
{{ total(at(novelty, k, discount)) }}
{% if weight != "none" %}
/ nullif({{ of_query(relevant_weight) }}, 0)
{% endif %}
/ nullif({{ of_query(subtopics) }} * {{ whole(each(every_place, most, k)) }}, 0)
{% endif %}
