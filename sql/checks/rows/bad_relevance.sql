{#
title = "a relevance is not a number"
rows = ["qrels"]
shows = ["query_id", "doc_id", "relevance"]
message = "{findings} of {rows_read} relevances {findings:~is not a finite number|are not finite numbers}: document {doc_id} of query {query_id} has {relevance}; judge every document or leave out its row, and {labels_told}"
#}
{% from "macros/values.sql" import absent, finite %}
{% if labelled %}not {{ absent("relevance" | ident) }} and {% endif %}not {{ finite("relevance" | ident) }}
