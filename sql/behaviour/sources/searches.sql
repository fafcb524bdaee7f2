select
    {{ impression_id | ident }} as impression_id,
    {{ query_id | ident }} as query_id
from {{ reader }}
