{# Each query, document and position of a log with its impressions and what they earned. #}
select
    query_id,
    doc_id,
    position,
    cast(count(*) as double) as impressions,
    cast(sum({{ reward | ident }}) as double) as rewards
from {{ impressions }}
group by query_id, doc_id, position
