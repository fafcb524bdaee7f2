select tag
from (
    select
        tag,
        row_number() over () as line
    from {{ reader }}
) as lines
order by line desc
limit 1
