{# The query of a candidate whose places beyond the log earn most, or are most often reached. #}
select
    query_id,
    supported
from {{ queries }}
where system = {{ system | literal }}
    and estimator = {{ estimator | literal }}
order by missing desc, impressions * (1 - supported) desc, query_id
limit 1
