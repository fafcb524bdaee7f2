{#
title = "R-precision: precision at the number of relevant documents, or at a multiple of it"
title_zh = "R 精确率（R-precision）：截断在相关文档数或其倍数处的精确率"
family = "binary"
params = { rel = 1, mult = 1 }
reads = ["hit", "query_relevant", "relevant"]
range = [0, 1]
empty = ["relevant"]
summary = "mean"
parts = "sum"
linear = true
trailing = "mult"
aliases = { r_precision = {}, r-precision = {}, rprec_mult = {} }
help = { mult = "the cutoff is this times R, rounded up from a tenth" }
bounds = { mult = [0] }
formula = "hits in the top c, over c, where c is the whole part of mult * R + 0.9"
latex = '''
\text{Rprec} = \frac{H_c}{c}, \qquad c = \left\lfloor \text{mult} \cdot R + 0.9 \right\rfloor
'''
citation = "Buckley and Voorhees, Retrieval system evaluation, in TREC: Experiment and Evaluation, 2005"
#}
{% from "macros/ranking.sql" import of_query, total, until %}
{% if mult == 1 %}
{{ total(until(hit, query_relevant)) }} / nullif({{ of_query(relevant) }}, 0)
{% else %}
{{ total(until(hit, query_relevant, mult)) }}
/ nullif(floor({{ mult | literal }} * {{ of_query(relevant) }} + 0.9), 0)
{% endif %}
