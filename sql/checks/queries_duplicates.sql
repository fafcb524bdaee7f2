{#
title = "a query appears twice in the table of queries"
input = "queries"
message = "a query appears more than once (cases: {findings}): query {query_id} appears {copies} times; {option:queries} takes one row per query"
#}
select
    query_id,
    count(*) as copies
from {{ asked }}
group by query_id
having count(*) > 1
