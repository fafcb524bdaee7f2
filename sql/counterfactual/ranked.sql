{# Rankings as policies that show each document at its rank for certain. #}
select
    cast(system as varchar) as system,
    cast(query_id as varchar) as query_id,
    cast(doc_id as varchar) as doc_id,
    cast(rank as bigint) as position,
    1.0 as share
from {{ places }}
