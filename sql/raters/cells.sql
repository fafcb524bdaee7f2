{# The levels that two raters chose, next to each other. #}
-- how many queries have items of which level of the first and of the second of two raters
with

cells as (
    select
        query_id,
        [min_by({{ level | ident }}, rater), max_by({{ level | ident }}, rater)] as levels
    from {{ judged }}
    group by {% for column in columns %}{{ column | ident }}{% if not loop.last %}, {% endif %}{% endfor +%}
    having count(*) = 2
),

patterns as (
    select
        query_id,
        levels,
        count(*) as items
    from cells
    group by query_id, levels
),

queries as (
    select
        list(levels order by levels asc) as levels,
        list(items order by levels asc) as items
    from patterns
    group by query_id
)

select
    levels,
    items,
    count(*) as queries
from queries
group by levels, items
order by levels asc, items asc
