{#
title = "every judgment of a scale is relevant"
input = "qrels"
severity = "note"
message = "every judgment is relevant, as the lowest is {lowest} and the level {shown_level} (the largest is {largest}); where ratings from {lowest} on are no evidence of relevance, say from which on they are, such as {option:rel {middle}}"
#}
select
    least as lowest,
    most as largest,
    round((least + most) / 2) as middle,
    {{ shown_level | literal }} as shown_level
from (
    select
        min(try_cast(relevance as {{ double }})) as least,
        max(try_cast(relevance as {{ double }})) as most
    from {{ judged }}
) as ends
where least >= {{ level | literal }} and most >= least + 3
