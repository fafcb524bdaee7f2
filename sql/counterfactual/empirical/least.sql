{# The query of a candidate of which most traffic is beyond the log. #}
select
    query_id,
    supported
from {{ queries }}
where system = {{ system | literal }}
    and estimator = {{ estimator | literal }}
order by impressions * (1 - supported) desc, query_id
limit 1
