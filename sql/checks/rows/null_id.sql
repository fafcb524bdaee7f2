{#
title = "an id is missing"
rows = ["run", "qrels", "queries", "items", "history", "baseline", "verdicts"]
shows = ["query_id", "doc_id"]
message = "{findings} of {rows_read} rows {findings:~has|have} no query_id or no doc_id, such as query_id {query_id}, doc_id {doc_id}; every row needs both ids"
#}
{% from "macros/values.sql" import absent %}
{% if queries %}{{ absent("query_id" | ident) }}{% endif %}{% if queries and documents %} or {% endif %}{% if documents and marked %}{{ marked | ident }} is null{% elif documents %}{{ absent("doc_id" | ident) }}{% endif +%}
