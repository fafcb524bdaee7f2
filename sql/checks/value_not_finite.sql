{#
title = "a value is too large to be a number"
input = "qrels"
message = "{findings} values of {measure} are not finite numbers, such as that of query {query_id}; the gains are too large for 64-bit numbers: choose another gain"
#}
{% from "macros/values.sql" import finite %}
select
    count(*) over () as findings,
    query_id,
    {{ measure | literal }} as measure
from {{ per_query }}
where {{ column | ident }} is not null and not {{ finite(column | ident) }}
order by query_id
limit 1
