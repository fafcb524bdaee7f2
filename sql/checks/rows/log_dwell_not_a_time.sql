{#
title = "how long a click of a log lasted is not a time"
rows = ["log"]
needs = "dwell"
shows = ["impression_id", "doc_id", "dwell"]
message = "{findings} of {rows_read} rows {findings:~has|have} a dwell time that is not a number of seconds from 0 on: document {doc_id} of impression {impression_id} has {dwell}; leave it empty where it is unknown"
#}
{% from "macros/values.sql" import absent, finite %}
not {{ absent("dwell" | ident) }} and not ({{ finite("dwell" | ident) }} and try_cast(dwell as {{ double }}) >= 0)
