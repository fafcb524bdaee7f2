{#
title = "a score is null, not a number, or infinite"
rows = ["run", "baseline"]
shows = ["query_id", "doc_id", "score"]
message = "{findings} of {rows_read} scores {findings:~is null, not a number,|are null, not numbers,} or infinite: document {doc_id} of query {query_id} has {score}; a ranking needs a finite score (or a rank) in every row"
#}
{% from "macros/values.sql" import finite %}
not {{ finite("score" | ident) }}
