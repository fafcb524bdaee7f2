{# How many queries each system is compared in, and how many of these are missing on one side. #}
select
    system,
    count(*) as queries,
    sum(case when sqlrank_returned = 0 then 1 else 0 end) as missing,
    sum(case when sqlrank_baseline_returned = 0 then 1 else 0 end) as missing_in_baseline,
    sum(sqlrank_shared) as shared_documents
from {{ per_query }}
group by system
