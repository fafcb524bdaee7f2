{# How often each rater differs from the others. #}
-- for every rater: verdicts, those on items that others judged too, and the share of the others' verdicts that differ
with

items as (
    select
{% for column in columns %}
        {{ column | ident }},
{% endfor %}
        count(case when preference < 0 then 1 end) as bad,
        count(case when preference = 0 then 1 end) as same,
        count(case when preference > 0 then 1 end) as good,
        count(*) as total
    from {{ verdicts }}
    group by {% for column in columns %}{{ column | ident }}{% if not loop.last %}, {% endif %}{% endfor %}

),

compared as (
    select
        each_verdict.rater as rater,
        items.total - 1 as others,
        items.total - case when each_verdict.preference < 0 then items.bad when each_verdict.preference > 0 then items.good else items.same end as different
    from {{ verdicts }} as each_verdict
    inner join items
        on
{% for column in columns %}
            {%+ if not loop.first %}and {% endif %}each_verdict.{{ column | ident }} = items.{{ column | ident }}
{% endfor %}
)

select
    cast(rater as {{ text }}) as rater,
    count(*) as verdicts,
    count(case when others > 0 then 1 end) as shared,
    sum(different) / cast(nullif(sum(others), 0) as {{ double }}) as disagreement
from compared
group by rater
order by disagreement desc nulls last, shared desc, rater
