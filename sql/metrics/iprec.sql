{#
title = "interpolated precision: the best precision at a recall or beyond it"
params = { recall = "required", rel = 1, rule = ["round", "ceil"] }
reads = ["precision_at_hit", "hits", "query_relevant"]
range = [0, 1]
empty = ["relevant"]
summary = "mean"
trailing = "recall"
aliases = { iprec_at_recall = {} }
help = { recall = "share of the relevant documents, from 0 to 1" }
within = { recall = [0, 1] }
formula = "largest precision at a rank with at least c hits, c = recall * R rounded (rule=ceil: the whole part of recall * R + 0.9)"
citation = "Manning, Raghavan and Schütze, Introduction to Information Retrieval, 2008, section 8.4"
#}
{% from "macros/ranking.sql" import best_beyond %}
{{ best_beyond(precision_at_hit, hits, query_relevant, recall, rule) }}
