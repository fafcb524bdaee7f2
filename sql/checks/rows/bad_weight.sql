{#
title = "a weight is not a number"
rows = ["run", "qrels", "queries", "verdicts"]
needs = "weight"
shows = ["query_id"]
message = "{findings} of {rows_read} weights in the column {weight} are not finite numbers, such as that of query {query_id}; a weight is a number of 0 or more"
#}
{% from "macros/values.sql" import finite %}
{{ weight | ident }} is not null and not {{ finite(weight | ident) }}
