{#
title = "a document without category that a tool counts in several ways"
input = "run"
message = "{findings:document returned has|documents returned have} no category, such as {doc_id} of query {query_id}; {tool} counts such documents in one way or another by the kind of its data frame: give each a category, or leave out {option:like}"
#}
select
    cast(found.query_id as {{ text }}) as query_id,
    cast(found.doc_id as {{ text }}) as doc_id,
    {{ tool | literal }} as tool
from {{ run }} as found
left join {{ items }} as catalogue
    on cast(found.doc_id as {{ text }}) = cast(catalogue.doc_id as {{ text }})
where catalogue.category is null
