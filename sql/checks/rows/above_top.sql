{#
title = "a relevance is above the top of the scale"
rows = ["qrels"]
needs = "top_relevance"
shows = ["query_id", "doc_id", "relevance"]
message = "{findings} of {rows_read} relevances {findings:~is|are} above {option:top_relevance {top}}: document {doc_id} of query {query_id} has {relevance}; give the top of the scale, or correct the judgments"
#}
{% from "macros/values.sql" import finite, opaque %}
{{ finite("relevance" | ident) }} and try_cast({{ opaque("relevance" | ident) }} as {{ double }}) > {{ top_relevance | literal }}
