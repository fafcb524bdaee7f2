{#
title = "binary preference: how few documents judged not relevant stand above the relevant ones"
title_zh = "二元偏好（bpref）：相关文档前面有多少判为不相关的文档"
family = "binary"
params = { rel = 1, norm = ["min", "relevant", "relevant10"], mean = ["arithmetic", "geometric"], weight = ["none", "item"] }
reads = ["hit", "misses", "query_relevant", "query_nonrelevant", "relevant", "relevant_weight"]
reads_with = { relevant_weight = { weight = "item" } }
range = [0, 1]
empty = ["relevant"]
summary = "mean"
parts = "sum"
aliases = { gm_bpref = { mean = "geometric" }, bpref_10 = { norm = "relevant10" } }
help = { weight = "what weighs a query in the mean: none, or item (the mean item_weight of its relevant documents)", norm = "m is counted up to R and divided by: min (the smaller of N and R, as trec_eval does) or relevant (R, as published); relevant10 has R + 10 for R in both" }
formula = "mean over the R relevant documents of 1 - min(m, R) / min(N, R), m of the N judged not relevant above it; 0 if not returned. norm=relevant: 1 - min(m, R) / R; norm=relevant10: 1 - min(m, R + 10) / (R + 10)"
in_words = true
latex = '''
\text{bpref} = \frac{1}{R} \sum_{i=1}^{n} h_i \left( 1 - \frac{\min(m_i, R)}{\min(N, R)} \right), \qquad \frac{0}{0} = 0

\text{norm=relevant:}\ \ \min(N, R) \to R \qquad \text{norm=relevant10:}\ \ R,\ \min(N, R) \to R + 10
'''
citation = "Buckley and Voorhees, Retrieval evaluation with incomplete information, SIGIR 2004"
doi = "10.1145/1008992.1009000"
#}
{% from "macros/ranking.sql" import each, lesser, of_query, total %}
{% set counted %}{{ query_relevant.value }}{% if norm == "relevant10" %} + 10{% endif %}{% endset %}
{% set preferred -%}
case
        when {{ misses.value }} = 0 then {{ one }}
{% if norm == "min" %}
        else 1 - {{ lesser(misses, query_relevant) }}
            / {{ lesser(query_nonrelevant, query_relevant) }}
{% else %}
        when {{ misses.value }} < {{ counted }} then 1 - {{ misses.value }} / ({{ counted }})
        else 0
{% endif %}
    end
{%- endset %}
{% if weighing %}
{{ of_query(relevant_weight) }}
{% else %}
{{ total(each(hit, preferred)) }}
/ nullif({{ of_query(relevant) }}, 0)
{% endif %}
