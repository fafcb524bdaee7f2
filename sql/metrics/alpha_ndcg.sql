{#
title = "nDCG where a subtopic counts less each time it is seen again"
title_zh = "α-nDCG：子主题重复出现时增益递减的归一化折损累计增益"
family = "subtopics"
params = { k = "cutoff required", alpha = 0.5, rel = 1 }
reads = ["novelty", "ideal_novelty", "discount"]
range = [0, 1]
empty = ["subtopics"]
summary = "mean"
parts = "sum"
within = { alpha = [0, 1] }
formula = "sum over i <= k of G(i) / log2(i + 1), over that of the greedy best ranking; G(i) sums (1 - alpha)^(times seen above) over the subtopics of document i"
latex = '''
\alpha\text{-nDCG@}k = \frac{\sum_{i=1}^{k} G_i\, d_i}{\sum_{i=1}^{k} G^{*}_i\, d_i}, \qquad d_i = \frac{1}{\log_2(i + 1)}

G_i = \sum_{x=1}^{S} c_{ix}\,(1 - \alpha)^{C_{ix}}
'''
citation = "Clarke, Kolla, Cormack, Vechtomova, Ashkan, Büttcher and MacKinnon, Novelty and diversity in information retrieval evaluation, SIGIR 2008"
doi = "10.1145/1390334.1390446"
#}
{% from "macros/ranking.sql" import at, total %}
{% from "macros/whole.sql" import whole %}
{{ total(at(novelty, k, discount)) }}
/ nullif({{ whole(at(ideal_novelty, k, discount)) }}, 0)
