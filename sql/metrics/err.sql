{#
title = "expected reciprocal rank: where a user who stops at the first satisfying document stops"
params = { k = "cutoff required", max = ["data", "number"] }
reads = ["stop", "stop_reached"]
range = [0, 1]
summary = "mean"
rises = true
parts = "sum"
formula = "sum over i <= k of p(i) / i times the product of 1 - p over the ranks above i, p = (2^relevance - 1) / 2^max"
citation = "Chapelle, Metlzer, Zhang and Grinspan, Expected reciprocal rank for graded relevance, CIKM 2009"
agrees = ["Elasticsearch expected_reciprocal_rank with maximum_relevance as max"]
#}
{% from "macros/ranking.sql" import each, total %}
{% set stopped %}{{ stop.value }} * {{ stop_reached.value }} / rank{% endset %}
{{ total(each(stop, stopped, k)) }}
