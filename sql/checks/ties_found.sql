{#
title = "a number depends on a tie"
input = "run"
message = "{findings:query has|queries have} equal scores of documents with different relevance, so that numbers depend on the order of ties, such as query {query_id} of {system}; choose another {option:ties}"
#}
select
    system,
    query_id
from {{ per_query }}
where sqlrank_tied > 0
