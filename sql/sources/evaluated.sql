{# What the per-query rows say of their queries, and how many have a value of an `unbounded` column that is no number. #}
{% from "macros/values.sql" import finite %}
select
    system,
    {%+ if judged %}sum(case when sqlrank_relevant = 0 then 1 else 0 end){% else %}0{% endif %} as no_relevant,
    sum(case when sqlrank_tied > 0 then 1 else 0 end) as tied,
    sum(sqlrank_tied) as tied_documents,
    sum(sqlrank_judged) as judged_documents{% if unbounded %},
    count(case when {% for column in unbounded %}({{ column | ident }} is not null and not {{ finite(column | ident) }}){% if not loop.last %} or {% endif %}{% endfor %} then 1 end) as not_finite
{% endif %}

from {{ per_query }}
group by system
