{#
title = "a vector is not a list of numbers that has a direction"
rows = ["items"]
needs = "vector"
shows = ["doc_id"]
message = "{findings} of {rows_read} vectors {findings:~is not a list|are not lists} of finite numbers of which one is not 0, such as that of document {doc_id}; leave it empty where a document has none"
#}
{% from "macros/values.sql" import absent, opaque %}
{% set numbers %}try_cast({{ opaque("vector" | ident) }} as double[]){% endset %}
not {{ absent("vector" | ident) }} and coalesce(
    not isfinite(list_sum([number * number for number in {{ numbers }}]))
    or list_sum([number * number for number in {{ numbers }}]) = 0
    or list_count({{ numbers }}) < len({{ numbers }}),
    true
)
