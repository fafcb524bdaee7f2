{#
title = "a place of a list holds no id"
rows = ["run", "qrels", "history", "baseline", "log"]
shows = ["query_id"]
needs = "in_lists"
message = "{findings} of {rows_read} places of lists {findings:~holds|hold} an empty text where an id is expected, such as one of query {query_id}; remove the extra separator or place"
#}
cast(doc_id as {{ text }}) = ''
