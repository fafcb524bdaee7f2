{# Places of rankings that two queries share which are one when they are folded. #}
select
    count(*) as findings,
    min(query_id) as example
from (
    select query_id
    from {{ entries }}
    group by system, query_id, position
    having count(*) > 1
) as shared
