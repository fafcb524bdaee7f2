{# What documents are expected to earn, as it was told, for both halves of the units. #}
select
    {%+ if query_id %}cast({{ query_id | ident }} as varchar){% else %}cast(null as varchar){% endif %} as query_id,
    cast({{ doc_id | ident }} as varchar) as doc_id,
    {%+ if position %}try_cast(try_cast({{ position | ident }} as double) as bigint){% else %}cast(null as bigint){% endif %} as position,
    halves.half,
    try_cast({{ expected | ident }} as double) as expected
from {{ reader }}
cross join (
    select unnest([0, 1]) as half
) as halves
