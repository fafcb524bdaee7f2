{#
title = "a judgment has the weight 0"
rows = ["qrels"]
needs = "item_weight"
shows = ["query_id", "doc_id"]
message = "{findings} of {rows_read} judgments {findings:~has|have} an item_weight of 0, such as that of document {doc_id} of query {query_id}, which would leave a document of the ranking without a weight but with a place; leave their rows out, as in {option:where cast(item_weight as double) > 0} for labels in the run; for judgments of their own begin it with qrels: and add {option:unjudged remove}"
#}
{% from "macros/values.sql" import absent, opaque %}
{% if labelled %}not {{ absent("relevance" | ident) }} and {% endif %}try_cast({{ opaque("item_weight" | ident) }} as double) = 0
