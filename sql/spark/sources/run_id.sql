select max_by(tag, place) as tag
from (
    select
        tag,
        monotonically_increasing_id() as place
    from {{ reader }}
)
