{#
title = "log odds of average precision"
title_zh = "平均精度的对数几率"
family = "binary"
params = { rel = 1 }
reads = ["precisions", "relevant"]
summary = "mean"
formula = "ln((1 + S) / (1 + R - S)), S the sum of the precisions at the hits"
latex = '''
\text{yaAP} = \ln \frac{1 + a}{1 + R - a}, \qquad a = \sum_{i=1}^{n} h_i\, \frac{H_i}{i}
'''
citation = "Robertson, On GMAP and other transformations, CIKM 2006"
#}
{% from "macros/ranking.sql" import of_query, total_of %}
ln((1 + {{ total_of(precisions) }}) / (1 + {{ of_query(relevant) }} - {{ total_of(precisions) }}))
