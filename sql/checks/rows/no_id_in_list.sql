{#
title = "a place of a list holds no id"
rows = ["run", "qrels", "history", "baseline", "log"]
shows = ["query_id"]
needs = "in_lists"
message = "{findings} of {rows_read} places of lists {findings:~holds|hold} an empty text where an id is to be, such as one of query {query_id}; take out the separator or the place that is too much"
#}
cast(doc_id as {{ text }}) = ''
