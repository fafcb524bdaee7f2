{# The verdicts of two raters beside each other. #}
-- how many items have which verdict of the first and of the second of two raters
with

items as (
    select
        min_by(preference, rater) as first_rater,
        max_by(preference, rater) as second_rater
    from {{ verdicts }}
    group by {% for column in columns %}{{ column | ident }}{% if not loop.last %}, {% endif %}{% endfor %}

    having count(*) = 2
)

select
    first_rater,
    second_rater,
    count(*) as items
from items
group by first_rater, second_rater
order by first_rater, second_rater
