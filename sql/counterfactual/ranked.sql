{# Rankings as policies that show each document at its rank for certain. #}
{% from "macros/logs.sql" import folded %}
select
    cast(system as varchar) as system,
    {%+ if fold %}{{ folded("query_id") }}{% else %}cast(query_id as varchar){% endif %} as query_id,
    cast(doc_id as varchar) as doc_id,
    cast(rank as bigint) as position,
    1.0 as share
from {{ places }}
