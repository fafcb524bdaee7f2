{#
title = "average precision where documents of equal score are one step"
params = { rel = 1 }
reads = ["group_precision", "group_relevant"]
range = [0, 1]
empty = ["relevant"]
summary = "mean"
linear = true
formula = "sum over scores, the best first, of (relevant documents with it) * (relevant so far / returned so far), over the relevant documents returned"
citation = "Pedregosa et al., Scikit-learn: machine learning in Python, JMLR 12, 2011, average_precision_score"
#}
{% from "macros/ranking.sql" import at, total %}
{{ total(at(group_precision)) }} / nullif({{ total(at(group_relevant)) }}, 0)
