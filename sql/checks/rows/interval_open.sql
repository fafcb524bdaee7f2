{#
title = "the interval of a label has one end, or ends that are not numbers"
rows = ["qrels"]
needs = "ends"
shows = ["query_id", "doc_id", "low", "high"]
message = "{findings} of {rows_read} labels {findings:~has|have} an interval without two finite ends: that of document {doc_id} of query {query_id} goes from {low} to {high}; give both or none, or leave intervals out with {option:exact_labels True}"
#}
{% from "macros/values.sql" import absent, finite %}
not ({{ absent("low" | ident) }} and {{ absent("high" | ident) }})
and not ({{ finite("low" | ident) }} and {{ finite("high" | ident) }})
