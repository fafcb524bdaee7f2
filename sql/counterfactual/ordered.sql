select
    system,
    estimator,
    query_id,
    impressions,
    supported,
    value,
    at_most
from {{ queries }}
order by estimator, system, impressions desc, query_id
