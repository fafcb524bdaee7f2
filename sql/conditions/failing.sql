select
    count(*) as findings,
    min(cast({{ query_id | ident }} as varchar)) as query_id
from {{ reader }}
where try(
    coalesce(cast((
        {{ condition }}
    ) as boolean), false)
) is null
