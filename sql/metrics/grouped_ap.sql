{#
title = "average precision where documents of equal score are one step"
title_zh = "同分合并的平均精度：得分相同的文档视为一步"
family = "binary"
params = { rel = 1 }
reads = ["group_precision", "group_relevant"]
range = [0, 1]
empty = ["relevant"]
summary = "mean"
linear = true
formula = "sum over scores, the best first, of (relevant documents with it) * (relevant so far / returned so far), over the relevant documents returned"
latex = '''
\text{AP} = \frac{1}{H_n} \sum_{i=1}^{n} h_i\, \frac{\sum_{j} h_j\, [\text{score}_j \ge \text{score}_i]}{\sum_{j} [\text{score}_j \ge \text{score}_i]}
'''
citation = "Pedregosa et al., Scikit-learn: machine learning in Python, JMLR 12, 2011, average_precision_score"
#}
{% from "macros/ranking.sql" import at, total %}
{{ total(at(group_precision)) }} / nullif({{ total(at(group_relevant)) }}, 0)
