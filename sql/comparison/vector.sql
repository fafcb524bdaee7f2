-- the differences of one pair, with the segment of each
select
    scope,
    {{ difference | ident }} as difference
from {{ paired }}
where {{ difference | ident }} is not null and {{ difference | ident }} <> 0
order by query_id asc
