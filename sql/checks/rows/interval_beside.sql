{#
title = "a label is not within its interval"
rows = ["qrels"]
needs = "ends"
shows = ["query_id", "doc_id", "relevance", "low", "high"]
message = "{findings} of {rows_read} labels {findings:~is not within its interval|are not within their intervals}: document {doc_id} of query {query_id} has {relevance}, from {low} to {high}; low <= relevance <= high is what an interval means, or leave intervals out with {option:exact_labels True}"
#}
{% from "macros/values.sql" import finite, opaque %}
{{ finite("low" | ident) }} and {{ finite("high" | ident) }} and {{ finite("relevance" | ident) }}
and not (
    try_cast({{ opaque("low" | ident) }} as {{ double }}) <= try_cast({{ opaque("relevance" | ident) }} as {{ double }})
    and try_cast({{ opaque("relevance" | ident) }} as {{ double }}) <= try_cast({{ opaque("high" | ident) }} as {{ double }})
)
