{#
title = "a metric has nothing to find in a query"
input = "qrels"
message = "{findings:query has|queries have} nothing to find for {measure}, such as query {query_id}; choose {option:empty zero}, one or skip"
#}
select
    query_id,
    {{ measure | literal }} as measure
from {{ per_query }}
where {{ column | ident }} is null
