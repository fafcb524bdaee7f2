{#
title = "a system is missing"
rows = ["run"]
shows = ["query_id", "doc_id"]
needs = "systems"
message = "{findings} of {rows_read} rows {findings:~has|have} no system, such as that of document {doc_id} of query {query_id}; name the system of each row, or leave these rows out with {option:where}"
#}
{% from "macros/values.sql" import absent %}
{{ absent("system" | ident) }}
