{# Items by how many verdicts of each kind they have, for the agreement of raters. #}
-- how many items have so many bad, same and good verdicts, of those that several raters judged
with

items as (
    select
        count(case when preference < 0 then 1 end) as bad,
        count(case when preference = 0 then 1 end) as same,
        count(case when preference > 0 then 1 end) as good
    from {{ verdicts }}
    group by {% for column in columns %}{{ column | ident }}{% if not loop.last %}, {% endif %}{% endfor %}

    having count(*) > 1
)

select
    bad,
    same,
    good,
    count(*) as items
from items
group by bad, same, good
order by bad, same, good
