{#
title = "precision of everything returned"
title_zh = "返回集合的精确率"
family = "sets"
params = { rel = 1, norm = ["returned", "min"], weight = ["none", "item"] }
reads = ["hit", "retrieved", "relevant", "relevant_weight"]
reads_with = { relevant_weight = { weight = "item" } }
range = [0, 1]
empty = ["relevant"]
summary = "mean"
rises = true
rises_with = { norm = ["returned"], weight = ["none"] }
parts = "sum"
linear = true
aliases = { setp = {}, set_relative_p = { norm = "min" }, setrelp = { norm = "min" } }
spellings = { relative = { true = { norm = "min" }, false = { norm = "returned" } } }
help = { weight = "what weighs a query in the mean: none, or item (the mean item_weight of its relevant documents)", norm = "divided by: returned (the documents returned) or min (the smaller of that and R)" }
formula = "hits, over the number of documents returned; 0 if none was"
latex = '''
\text{P} = \frac{H_n}{n}

\text{norm=min:}\ \ n \to \min(n, R)
'''
citation = "Manning, Raghavan and Schütze, Introduction to Information Retrieval, 2008, chapter 8"
doi = "10.1017/CBO9780511809071"
#}
{% from "macros/ranking.sql" import at, of_query, total %}
{% if weighing %}
{{ of_query(relevant_weight) }}
{% else %}
{{ total(at(hit)) }}
{% if norm == "min" %}
/ nullif(
    case
        when {{ of_query(retrieved) }} < {{ of_query(relevant) }} then {{ of_query(retrieved) }}
        else {{ of_query(relevant) }}
    end,
    0
)
{% else %}
/ nullif({{ of_query(retrieved) }}, 0)
{% endif %}
{% endif %}
