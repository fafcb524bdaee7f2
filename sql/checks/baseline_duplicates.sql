{#
title = "a document appears twice in one ranking of the baseline"
input = "baseline"
message = "a document appears more than once in a ranking of the baseline (cases: {findings}): {doc_id} of query {query_id}; remove the copies"
#}
select
    query_id,
    doc_id
from {{ relation }}
group by query_id, doc_id
having count(*) > 1
