{# How often each rater differs from the others. #}
-- for every rater: judgments, those on items that others judged too, and the share of the others' that differ
with

compared as (
    select
        rater,
        count(*) over (partition by {% for column in columns %}{{ column | ident }}{% if not loop.last %}, {% endif %}{% endfor %}) as total,
        count(*) over (partition by {% for column in columns %}{{ column | ident }}, {% endfor %}{{ level | ident }}) as alike
    from {{ judged }}
)

select
    cast(rater as {{ text }}) as rater,
    count(*) as {{ counted | ident }},
    count(case when total > 1 then 1 end) as shared,
    sum(total - alike) / cast(nullif(sum(total - 1), 0) as {{ double }}) as disagreement
from compared
group by rater
order by disagreement desc nulls last, shared desc, rater
