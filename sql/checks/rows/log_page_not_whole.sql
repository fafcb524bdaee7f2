{#
title = "a page in a log is not a whole number"
rows = ["log"]
needs = "page"
shows = ["impression_id", "doc_id", "page"]
message = "{findings} of {rows_read} pages {findings:~is not a whole number|are not whole numbers} from 0 on: document {doc_id} of impression {impression_id} has {page}; number the pages, or leave the column out"
#}
{% from "macros/values.sql" import no_count %}
{{ no_count("page" | ident) }}
