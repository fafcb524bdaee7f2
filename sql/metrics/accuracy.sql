{#
title = "share of pairs of a relevant and another document returned with the relevant one above"
params = { k = "cutoff", rel = 1 }
reads = ["hit", "hits", "retrieved"]
range = [0, 1]
undefined = "the first k are all relevant, or none is"
summary = "mean"
monotone = false
formula = "1 - (pairs in the top k whose relevant document is below) / (relevant * others)"
citation = "MacAvaney, Macdonald and Ounis, Streamlining evaluation with ir-measures, ECIR 2022"
#}
{% from "macros/ranking.sql" import at, of_query, smaller, total %}
{% set returned %}{% if k %}{{ smaller(of_query(retrieved), k) }}{% else %}{{ of_query(retrieved) }}{% endif %}{% endset %}
1 - sum(case when {{ hit | ident }} > 0{% if k %} and place <= {{ k }}{% endif %} then place - {{ hits | ident }} else 0 end)
/ nullif({{ total(at(hit, k)) }} * ({{ returned }} - {{ total(at(hit, k)) }}), 0)
