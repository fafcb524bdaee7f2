{#
title = "an id is missing"
rows = ["run", "qrels", "queries"]
shows = ["query_id", "doc_id"]
message = "{findings} of {rows_read} rows have no query_id or no doc_id, such as query_id {query_id}, doc_id {doc_id}; every row needs both ids"
#}
query_id is null{% if documents %} or doc_id is null{% endif %}

