{#
title = "an id has spaces around it"
rows = ["run", "qrels", "log"]
needs = "from_text"
severity = "note"
message = "{findings} of {rows_read} rows {findings:~has|have} an id with a space before or after it, which counts (' a2' is not 'a2'); take the spaces out where they are not meant"
#}
trim(cast(query_id as {{ text }})) <> cast(query_id as {{ text }}){% if documents %} or trim(cast(doc_id as {{ text }})) <> cast(doc_id as {{ text }}){% endif %}
