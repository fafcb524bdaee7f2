{#
title = "one document has two weights for one query"
input = "qrels"
message = "one document has different item_weights for one query (cases: {findings}): document {doc_id} of query {query_id} has {lowest} and {highest}; make them equal"
#}
select
    query_id,
    doc_id,
    min(try_cast(item_weight as {{ double }})) as lowest,
    max(try_cast(item_weight as {{ double }})) as highest
from {{ judged }}
where relevance is not null
group by query_id, doc_id
having min(try_cast(item_weight as {{ double }})) <> max(try_cast(item_weight as {{ double }}))
