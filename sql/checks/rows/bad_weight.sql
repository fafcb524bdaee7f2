{#
title = "a weight is not a number"
rows = ["run", "qrels", "queries", "verdicts"]
needs = "weight"
shows = ["query_id"]
message = "{findings} of {rows_read} weights in the column {weight} are not finite numbers, such as that of query {query_id}; a weight is a number of 0 or more"
#}
{{ weight | ident }} is not null and coalesce(not abs(try_cast({{ weight | ident }} as double)) < cast('inf' as double), true)
