{#
title = "the scores of a file without names are ranks"
input = "run"
message = "the third column counts {lowest}, {next}, ... in every query, as ranks do, and without names it is taken for the score; say what it is: {option:columns rank=3} (the smallest is the best) or {option:columns score=3} (the largest is)"
#}
select
    max(lowest) as lowest,
    max(lowest) + 1 as next
from (
    select
        count(*) as documents,
        min(try_cast(score as {{ double }})) as lowest,
        case
            when min(try_cast(score as {{ double }})) in (0, 1)
                and max(try_cast(score as {{ double }})) - min(try_cast(score as {{ double }})) = count(*) - 1
                and count(distinct try_cast(score as {{ double }})) = count(*)
                then 1
            else 0
        end as counts
    from {{ run }}
    group by {% if several %}system, {% endif %}query_id
) as rankings
having min(counts) = 1 and max(documents) > 1
