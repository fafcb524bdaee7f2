{# The levels that two raters chose beside each other. #}
-- how many items have which level of the first and of the second of two raters
with

items as (
    select
        min_by({{ level | ident }}, rater) as first_level,
        max_by({{ level | ident }}, rater) as second_level
    from {{ judged }}
    group by {% for column in columns %}{{ column | ident }}{% if not loop.last %}, {% endif %}{% endfor %}

    having count(*) = 2
)

select
    first_level,
    second_level,
    count(*) as items
from items
group by first_level, second_level
order by first_level, second_level
