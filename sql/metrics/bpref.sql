{#
title = "binary preference: how few documents judged not relevant stand above the relevant ones"
params = { rel = 1, mean = ["arithmetic", "geometric"] }
reads = ["hit", "misses", "query_relevant", "query_nonrelevant", "relevant"]
range = [0, 1]
empty = ["relevant"]
summary = "mean"
parts = "sum"
aliases = { gm_bpref = { mean = "geometric" } }
formula = "mean over the R relevant documents of 1 - min(m, R) / min(N, R), m of the N judged not relevant above it; 0 if not returned"
citation = "Buckley and Voorhees, Retrieval evaluation with incomplete information, SIGIR 2004"
#}
{% from "macros/ranking.sql" import each, lesser, of_query, total %}
{% set preferred -%}
case
        when {{ misses.value }} = 0 then {{ one }}
        else 1 - {{ lesser(misses, query_relevant) }}
            / {{ lesser(query_nonrelevant, query_relevant) }}
    end
{%- endset %}
{{ total(each(hit, preferred)) }}
/ nullif({{ of_query(relevant) }}, 0)
