{# Ids of two relations, those of one side alone before those of both: as many as are fetched. #}
with

{% include "parts/told_ids.sql" %}

select
    scope,
    id,
    first_side,
    last_side
from told
order by
    case when first_side < last_side then 1 else 0 end asc,
    scope asc,
    id asc
limit {{ fetched }}
