{#
title = "a query has no cluster"
message = "{findings:query has|queries have} no value in the column {cluster}, such as query {query_id}; give each one its cluster, its own where it is related to no other"
#}
select distinct
    query_id,
    {{ cluster.alias | literal }} as cluster
from {{ per_query }}
where {{ cluster.alias | ident }} = '(none)'
