{#
title = "the rows of an export label one document differently"
input = "run"
message = "one document has different labels in different rows (cases: {findings}): document {doc_id} of query {query_id} has {lowest} and {highest}; {apart}make them equal, or choose {option:judgments max} or mean"
#}
select
    query_id,
    doc_id,
    min(try_cast(relevance as {{ double }})) as lowest,
    max(try_cast(relevance as {{ double }})) as highest
from {{ run }}
group by query_id, doc_id
having min(try_cast(relevance as {{ double }})) <> max(try_cast(relevance as {{ double }}))
