{#
title = "a weight is not a number"
rows = ["run", "qrels", "queries", "verdicts"]
needs = "weight"
shows = ["query_id"]
message = "{findings} of {rows_read} weights in the column {weight} {findings:~is not a finite number|are not finite numbers}, such as that of query {query_id}; a weight is a number of 0 or more"
#}
{% from "macros/values.sql" import absent, finite %}
not {{ absent(weight | ident) }} and not {{ finite(weight | ident) }}
