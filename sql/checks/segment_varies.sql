{#
title = "a segment or weight varies within a query"
message = "a query has more than one value of {column} (cases: {findings}): query {query_id} has {lowest} and {highest}; {column} must be the same in every row of a query; if a query is another one for each of its values, choose {option:columns query_id=QUERY,{column}}"
#}
{% set value %}{% if number %}try_cast({{ column | ident }} as {{ double }}){% else %}{{ column | ident }}{% endif %}{% endset %}
select
    query_id,
    coalesce(cast(min({{ value }}) as {{ text }}), 'null') as lowest,
    case when count({{ value }}) < count(*) then 'null' else cast(max({{ value }}) as {{ text }}) end as highest
from {{ relation }}
group by query_id
having count(distinct {{ value }}) + case when count({{ value }}) < count(*) then 1 else 0 end > 1
