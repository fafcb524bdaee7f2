{#
title = "what happened in a row of a log is neither yes nor no"
rows = ["log"]
shows = ["impression_id", "doc_id", "clicked"]
message = "{findings} of {rows_read} rows {findings:~has|have} clicked that is neither 0 nor 1 nor a number of clicks: document {doc_id} of impression {impression_id} has {clicked}; an empty one says no"
#}
{% from "macros/values.sql" import no_count %}
{{ no_count("clicked" | ident) }}
