{#
title = "inferred average precision: its expected value where only a sample of the documents was judged"
params = { rel = 1 }
reads = ["hit", "hits", "misses", "negatives", "relevant"]
range = [0, 1]
empty = ["relevant"]
summary = "mean"
parts = "sum"
monotone = false
formula = "mean over the R relevant documents of the expected precision at their ranks i, the relevance of unjudged documents inferred; a negative judgment is of a document in the pool that was not judged"
citation = "Yilmaz and Aslam, Estimating average precision with incomplete and imperfect judgments, CIKM 2006"
#}
{% from "macros/ranking.sql" import each, of_query, total %}
{% set precision -%}
{{ one }} / rank
    + ({{ hits.value }} - 1 + {{ misses.value }} + {{ negatives.value }}) * {{ one }} / rank
    * ({{ hits.value }} - 1 + 0.00001) / ({{ hits.value }} - 1 + {{ misses.value }} + 0.00002)
{%- endset %}
{{ total(each(hit, precision)) }}
/ nullif({{ of_query(relevant) }}, 0)
