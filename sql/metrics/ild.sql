{#
title = "intra-list diversity: how far the vectors of the first k are from one another"
title_zh = "列表内多样性（ILD）：前 k 个结果的向量彼此相距多远"
family = "beyond"
params = { k = "cutoff required" }
reads = ["distance_above", "has_vector"]
range = [0, 2]
undefined = "fewer than two documents with a vector are shown"
summary = "mean"
parts = "sum"
aliases = { vector_diversity = {}, intra_list_diversity = {} }
formula = "mean over pairs of documents in the top k of 1 - the cosine of their vectors"
latex = '''
\text{ILD@}k = \frac{2}{K\, (K - 1)} \sum_{1 \le i < j \le K} \left( 1 - \frac{\text{vector}_i \cdot \text{vector}_j}{\lVert \text{vector}_i \rVert\, \lVert \text{vector}_j \rVert} \right)
'''
citation = "Smyth and McClave, Similarity vs. diversity, ICCBR 2001"
doi = "10.1007/3-540-44593-5_25"
agrees = ["Microsoft Recommenders user_diversity with item_feature_vector"]
#}
{% from "macros/ranking.sql" import at, total %}
{% from "macros/whole.sql" import whole %}
2 * {{ total(at(distance_above, k)) }}
/ nullif({{ whole(at(has_vector, k)) }} * ({{ whole(at(has_vector, k)) }} - 1), 0)
