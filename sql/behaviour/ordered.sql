select
    query_id,
    doc_id,
    relevance,
    low,
    high,
    impressions,
    clicks,
    method
from {{ relation }}
order by query_id asc, doc_id asc
