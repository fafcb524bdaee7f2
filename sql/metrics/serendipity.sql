{#
title = "serendipity: how far the relevant documents of the first k are from what the user knows"
title_zh = "惊喜度：前 k 个结果中的相关文档与用户已知内容相距多远"
family = "beyond"
params = { k = "cutoff required", rel = 1 }
reads = ["taste_distance", "taste_hit"]
range = [0, 2]
undefined = "no document shown has a vector, or the query knows none with a vector from the history"
summary = "mean"
parts = "sum"
formula = "mean over the documents in the top k of (1 - the mean cosine of its vector with those of the documents of the history that the query knows), 0 where it is not relevant"
in_words = true
latex = '''
\text{serendipity@}k = \frac{1}{K} \sum_{i=1}^{K} h_i \left( 1 - \frac{1}{\left| E_q \right|} \sum_{e \in E_q} \cos (\text{vector}_i, \text{vector}_e) \right)

E_q \text{ the documents of the query in the history}
'''
citation = "Zhang, Ó Séaghdha, Quercia and Jambor, Auralist: introducing serendipity into music recommendation, WSDM 2012"
doi = "10.1145/2124295.2124300"
agrees = ["Microsoft Recommenders user_serendipity with item_feature_vector"]
#}
{% from "macros/ranking.sql" import at, each, total %}
{% from "macros/whole.sql" import whole %}
{{ total(at(taste_hit, k)) }} / nullif({{ whole(each(taste_distance, one, k)) }}, 0)
