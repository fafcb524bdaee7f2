{#
title = "a judgment has no weight, or none that is from 0 to 1e100"
rows = ["qrels"]
needs = "item_weight"
shows = ["query_id", "doc_id", "item_weight"]
message = "{findings} of {rows_read} judgments {findings:~has|have} an item_weight that is not a number from 0 to 1e100, such as that of document {doc_id} of query {query_id}: {item_weight}; give every judgment a weight"
#}
{% from "macros/values.sql" import absent, finite, opaque %}
{% if labelled %}not {{ absent("relevance" | ident) }} and {% endif %}(not {{ finite("item_weight" | ident) }} or try_cast({{ opaque("item_weight" | ident) }} as double) < 0 or try_cast({{ opaque("item_weight" | ident) }} as double) > 1e100)
