-- some ids of an input, in order
select list(each order by each asc)
from (
    select distinct {{ column | ident }} as each
    from {{ rows }}
    where {{ column | ident }} is not null
    order by each asc
    limit {{ most }}
)
