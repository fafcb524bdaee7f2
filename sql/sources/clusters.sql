-- how many clusters there are, and how many queries without results are clusters of their own
select
    count(distinct case {{ cluster | ident }} when '(no results)' then 'query ' || query_id else {{ cluster | ident }} end) as clusters,
    count(distinct case when {{ cluster | ident }} = '(no results)' then query_id end) as lone
from {{ per_query }}
