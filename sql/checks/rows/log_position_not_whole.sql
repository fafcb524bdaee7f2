{#
title = "a position in a log is not a whole number"
rows = ["log"]
shows = ["impression_id", "doc_id", "position"]
message = "{findings} of {rows_read} positions {findings:~is not a whole number|are not whole numbers} from 0 on: document {doc_id} of impression {impression_id} has {position}; a document that was not shown has no row, so leave out such rows with {option:where position is not null}"
#}
{% from "macros/values.sql" import finite %}
not ({{ finite("position" | ident) }} and try_cast(position as {{ double }}) >= 0 and try_cast(position as {{ double }}) = floor(try_cast(position as {{ double }})) and try_cast(position as {{ double }}) < 1e9)
