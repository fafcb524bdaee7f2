{# The items on which raters disagree most. #}
-- the items with verdicts that differ, those with the most pairs of raters who differ first
with

items as (
    select
{% for column in columns %}
        cast({{ column | ident }} as {{ text }}) as {{ column | ident }},
{% endfor %}
        count(case when preference > 0 then 1 end) as good,
        count(case when preference = 0 then 1 end) as same,
        count(case when preference < 0 then 1 end) as bad,
        count(*) as total
    from {{ verdicts }}
    group by {% for column in columns %}{{ column | ident }}{% if not loop.last %}, {% endif %}{% endfor %}

    having min(preference) < max(preference)
)

select
{% for column in columns %}
    {{ column | ident }},
{% endfor %}
    good,
    same,
    bad,
    (good * same + good * bad + same * bad) / (total * (total - 1) / cast(2 as {{ double }})) as disagreement
from items
order by
    good * bad desc, disagreement desc, total desc{% for column in columns %}, {{ column | ident }}{% endfor %}

{% if most is not none %}
limit {{ most }}
{% endif %}
