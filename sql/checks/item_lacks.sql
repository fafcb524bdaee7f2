{#
title = "a document returned lacks what a metric reads of it"
input = "run"
message = "{findings:document returned has|documents returned have} no {role}, such as {doc_id} of query {query_id}; give every document a row with its {role} in {option:items}"
#}
select
    cast(found.query_id as {{ text }}) as query_id,
    cast(found.doc_id as {{ text }}) as doc_id,
    {{ role | literal }} as role
from {{ run }} as found
left join {{ items }} as catalogue
    on cast(found.doc_id as {{ text }}) = cast(catalogue.doc_id as {{ text }})
where catalogue.{{ role | ident }} is null
