{# The first position of each application. #}
select
    application,
    min(position) as first_position
from {{ shown }}
where query_id is not null
    and doc_id is not null
group by all
