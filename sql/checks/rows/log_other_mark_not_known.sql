{#
title = "what else happened in a row of a log is neither yes nor no"
rows = ["log"]
needs = "marks"
shows = ["impression_id", "doc_id"]
message = "{findings} of {rows_read} rows {findings:~has|have} a cart, a purchase, or a mark of what was seen, an ad or a bot that is neither 0 nor 1 nor a number of times: document {doc_id} of impression {impression_id}; an empty one says no"
#}
{% from "macros/values.sql" import no_count %}
{% for mark in marks %}{{ no_count(mark | ident) }}{% if not loop.last %} or {% endif %}{% endfor +%}
