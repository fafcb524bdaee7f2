{#
title = "the table of queries has none of the queries that are evaluated"
input = "queries"
ids = "query_id"
message = "it has no row for any query that is evaluated, such as {found}; name the column with their ids ({option:columns queries.query_id=NAME}), or give the table of these queries"
#}
select
    min(query_id) as found
from {{ per_query }}
having
    count(*) > 0
    and not exists (
        select 1
        from {{ asked }} as described
        inner join {{ per_query }} as evaluated
            on cast(described.query_id as {{ text }}) = cast(evaluated.query_id as {{ text }})
    )
