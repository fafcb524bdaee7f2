{#
title = "diversity of the categories among the first k"
params = { k = "cutoff required", kind = ["pairs", "distinct"] }
reads = ["alike_above", "first_of_category", "shown"]
range = [0, 1]
summary = "mean"
help = { kind = "pairs, or distinct categories over k" }
formula = "share of pairs of documents in the top k of different category, 0 where there are fewer than two; kind=distinct: distinct categories, over k"
citation = "Ziegler, McNee, Konstan and Lausen, Improving recommendation lists through topic diversification, WWW 2005"
#}
{% from "macros/ranking.sql" import at, total %}
{% if kind == "pairs" %}
1 - 2 * {{ total(at(alike_above, k)) }}
/ nullif({{ total(at(shown, k)) }} * {{ total(at(shown, k)) }} - {{ total(at(shown, k)) }}, 0)
{% else %}
{{ total(at(first_of_category, k)) }} / {{ k }}
{% endif %}
