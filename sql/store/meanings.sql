select
    cast(as_of as varchar) as day,
    system,
    sqlrank,
    conventions,
    contents
from {{ database | ident }}.meanings
order by
    as_of,
    system
