{#
title = "the table of queries lacks some of the queries that are evaluated"
input = "queries"
severity = "note"
message = "it has no row for {findings:query|queries} evaluated, such as {query_id}; add {findings:~it|them} where a segment is wanted"
#}
select
    evaluated.query_id as query_id
from (select distinct cast(query_id as {{ text }}) as query_id from {{ per_query }}) as evaluated
left join {{ asked }} as described
    on evaluated.query_id = cast(described.query_id as {{ text }})
where described.query_id is null
