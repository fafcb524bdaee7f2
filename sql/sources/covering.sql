-- how many queries there are, how many values a column has, and with how many of the queries each stands
select
    count(*) as pairs,
    count(distinct query_id) as queries,
    count(distinct each) as different,
    min(each) as smallest,
    max(each) as largest
from (
    select distinct
        cast({{ query_id | ident }} as {{ text }}) as query_id,
        cast({{ column | ident }} as {{ text }}) as each
    from {{ reader }}
{% if where %}
    where ({{ where }})
{% endif %}
) as pairs
where each is not null
