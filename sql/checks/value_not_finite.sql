{#
title = "a value is no finite number"
input = "qrels"
message = "{findings} values of {measure} are not finite numbers, such as that of query {query_id}; {instead}"
#}
select
    count(*) over () as findings,
    query_id,
    {{ measure | literal }} as measure,
    {{ instead | literal }} as instead
from {{ per_query }}
where isnan(cast({{ column | ident }} as {{ double }})) or abs(cast({{ column | ident }} as {{ double }})) = cast('inf' as {{ double }})
order by query_id
limit 1
