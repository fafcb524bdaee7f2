{#
title = "F measure of everything returned"
title_zh = "返回集合的 F 值"
family = "sets"
params = { rel = 1, beta = 1 }
reads = ["hit", "relevant", "retrieved"]
range = [0, 1]
empty = ["relevant"]
summary = "mean"
parts = "sum"
linear = true
trailing = "beta_squared"
bounds = { beta = [0] }
squares = { beta_squared = "beta" }
renames = { setf = { beta = "beta_squared" } }
aliases = { setf = {} }
formula = "(1 + beta^2) P R / (beta^2 P + R), with P = hits / returned and R = hits / relevant"
latex = '''
\text{F} = \frac{(1 + \beta^2)\; \text{P} \cdot \text{Recall}}{\beta^2\; \text{P} + \text{Recall}} = \frac{(1 + \beta^2)\, H_n}{\beta^2 R + n}
'''
citation = "van Rijsbergen, Information Retrieval, 2nd edition, 1979"
#}
{% from "macros/ranking.sql" import at, number, of_query, total %}
{{ (1 + beta * beta) | literal }} * {{ number(total(at(hit))) }}
/ nullif({{ (beta * beta) | literal }} * {{ of_query(relevant) }} + {{ of_query(retrieved) }}, 0)
