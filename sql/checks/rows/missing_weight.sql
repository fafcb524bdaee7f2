{#
title = "a verdict has no weight, or a negative one"
rows = ["verdicts"]
shows = ["query_id"]
needs = "weight"
message = "{findings} of {rows_read} verdicts {findings:~has|have} no weight or a negative one in the column {weight}, such as that of query {query_id}; give every verdict a weight of 0 or more"
#}
{% from "macros/values.sql" import absent, opaque %}
{{ absent(weight | ident) }} or try_cast({{ opaque(weight | ident) }} as double) < 0
