{#
title = "a rank that gives a place is not a whole number from 1 on"
rows = ["run"]
shows = ["query_id", "doc_id", "score"]
needs = "given_ranks"
message = "{findings} of {rows_read} ranks {findings:~is not a whole number|are not whole numbers}, 1 or more: document {doc_id} of query {query_id} has {score}; the rank column gives the places, so number them from 1, or choose {option:order desc}, which counts the places itself"
#}
{% from "macros/values.sql" import finite %}
not ({{ finite("score" | ident) }} and try_cast(score as {{ double }}) >= 1 and try_cast(score as {{ double }}) = floor(try_cast(score as {{ double }})))
