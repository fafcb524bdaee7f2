{#
title = "a value is no finite number"
input = "qrels"
message = "{findings} values of {measure} are not finite numbers, such as that of query {query_id}; {instead}"
#}
{% from "macros/values.sql" import finite %}
select
    count(*) over () as findings,
    query_id,
    {{ measure | literal }} as measure,
    {{ instead | literal }} as instead
from {{ per_query }}
where {{ column | ident }} is not null and not {{ finite(column | ident) }}
order by query_id
limit 1
