{# What the per-query rows say of their queries. #}
select
    system,
    {%+ if judged %}sum(case when sqlrank_relevant = 0 then 1 else 0 end){% else %}0{% endif %} as no_relevant,
    sum(case when sqlrank_tied > 0 then 1 else 0 end) as tied,
    sum(sqlrank_tied) as tied_documents,
    sum(sqlrank_judged) as judged_documents
from {{ per_query }}
group by system
