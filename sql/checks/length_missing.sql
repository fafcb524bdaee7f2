{#
title = "a document returned has no length"
input = "run"
message = "{findings} documents returned have no length, such as {doc_id} of query {query_id}; give every document a row with its length in --items"
#}
select
    cast(found.query_id as {{ text }}) as query_id,
    cast(found.doc_id as {{ text }}) as doc_id
from {{ run }} as found
left join {{ items }} as catalogue
    on cast(found.doc_id as {{ text }}) = cast(catalogue.doc_id as {{ text }})
where catalogue.length is null
