{#
title = "diversity of the categories among the first k"
title_zh = "多样性：前 k 个结果的类别有多不同"
family = "beyond"
params = { k = "cutoff required", kind = ["pairs", "distinct"], missing = ["own", "omit"] }
reads = ["alike_above", "first_of_category", "categorised", "shown"]
range = [0, 1]
undefined = "with missing=omit, two documents or more are shown and fewer than two have a category"
summary = "mean"
help = { kind = "pairs, or distinct categories over k", missing = "a document without category is of one of its own (own), or left out (omit)" }
formula = "share of pairs of documents in the top k of different category, 0 where there are fewer than two; kind=distinct: distinct categories, over k"
in_words = true
latex = '''
\text{diversity@}k = \frac{2}{K\, (K - 1)} \sum_{1 \le i < j \le K} [\text{category}_i \ne \text{category}_j]

\text{kind=distinct:}\ \ \frac{1}{k} \left| \{ \text{category}_1, \dots, \text{category}_K \} \right|
'''
citation = "Ziegler, McNee, Konstan and Lausen, Improving recommendation lists through topic diversification, WWW 2005"
doi = "10.1145/1060745.1060754"
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
