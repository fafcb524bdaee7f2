{#
title = "a verdict is not good, same or bad"
rows = ["verdicts"]
shows = ["query_id", "verdict"]
message = "{findings} of {rows_read} verdicts {findings:~is|are} not known: that of query {query_id} is {verdict}; write good, same or bad (or better, equal, worse; win, tie, loss; g, s, b; 1, 0, -1; 好, 平, 差)"
#}
{% from "macros/values.sql" import absent %}
{{ absent("preference" | ident) }}
