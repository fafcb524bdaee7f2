{#
title = "diversity of the categories among the first k"
params = { k = "cutoff required", kind = ["pairs", "distinct"], missing = ["own", "omit"] }
reads = ["alike_above", "first_of_category", "categorised", "shown"]
range = [0, 1]
undefined = "with missing=omit, two documents or more are shown and fewer than two have a category"
summary = "mean"
help = { kind = "pairs, or distinct categories over k", missing = "a document without category is of one of its own (own), or left out (omit)" }
formula = "share of pairs of documents in the top k of different category, 0 where there are fewer than two; kind=distinct: distinct categories, over k"
citation = "Ziegler, McNee, Konstan and Lausen, Improving recommendation lists through topic diversification, WWW 2005"
#}
{% from "macros/ranking.sql" import at, total %}
{% if kind == "distinct" %}
{{ total(at(first_of_category, k)) }} / {{ k }}
{% if missing == "omit" %}
- {{ total(at(shown, k)) }} / {{ k }}
+ {{ total(at(categorised, k)) }} / {{ k }}
{% endif %}
{% else %}
case
    when {{ total(at(shown, k)) }} < 2 then 0
    else
        1 - 2 * {{ total(at(alike_above, k)) }}
{% if missing == "omit" %}
        / nullif(
            {{ total(at(categorised, k)) }}
            * ({{ total(at(categorised, k)) }} - 1),
            0
        )
{% else %}
        / nullif(
            {{ total(at(shown, k)) }}
            * ({{ total(at(shown, k)) }} - 1),
            0
        )
{% endif %}
end
{% endif %}
