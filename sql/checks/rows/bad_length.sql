{#
title = "a length is not a number of 0 or more"
rows = ["items"]
needs = "length"
shows = ["doc_id", "length"]
message = "{findings} of {rows_read} lengths {findings:~is not a finite number|are not finite numbers} of 0 or more, such as that of document {doc_id}: {length}; give the number of words or characters, or leave it empty where the document is never returned"
#}
{% from "macros/values.sql" import absent, finite, opaque %}
not {{ absent("length" | ident) }} and (not {{ finite("length" | ident) }} or try_cast({{ opaque("length" | ident) }} as double) < 0)
