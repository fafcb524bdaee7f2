{#
title = "a subtopic is missing"
rows = ["qrels"]
shows = ["query_id", "doc_id"]
needs = "subtopic"
message = "{findings} of {rows_read} judgments {findings:~has|have} no subtopic, such as that of document {doc_id} of query {query_id}; every judgment needs one"
#}
{% from "macros/values.sql" import absent %}
{{ absent("subtopic" | ident) }}
