{#
title = "a query has no weight, or a negative one"
message = "{findings:query has|queries have} no weight or a negative one in the column {weight}, such as query {query_id} with {value}; give every query a weight of 0 or more"
#}
select
    query_id,
    coalesce(cast(weight as {{ text }}), 'none') as value,
    {{ weight | literal }} as weight
from {{ per_query }}
where weight is null or weight < 0
