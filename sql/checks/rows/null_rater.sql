{#
title = "no rater is named"
rows = ["verdicts", "judgments"]
shows = ["query_id"]
needs = "rater"
message = "{findings} of {rows_read} rows {findings:~has|have} no rater, such as that of query {query_id}; name the rater of each, or leave these rows out with {option:where}"
#}
{% from "macros/values.sql" import absent %}
{{ absent("rater" | ident) }}
