{#
title = "a row of a log lacks an id"
rows = ["log"]
shows = ["impression_id", "query_id", "doc_id"]
message = "{findings} of {rows_read} rows {findings:~lacks|lack} the impression, the query or the document: impression {impression_id}, query {query_id}, document {doc_id}; leave them out with {option:where}, or name the right columns with {option:columns ROLE=NAME}"
#}
{% from "macros/values.sql" import absent %}
{{ absent("impression_id" | ident) }} or {{ absent("query_id" | ident) }} or {{ absent("doc_id" | ident) }}
