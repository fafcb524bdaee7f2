{#
title = "no relevance reaches the level"
input = "qrels"
message = "the largest relevance is {largest}, so rel={level} finds nothing relevant; for click rates and other fractions choose --rel {half}"
#}
select
    case when max(try_cast(relevance as double)) > 0 and max(try_cast(relevance as double)) < {{ level | literal }} then 1 else 0 end as findings,
    max(try_cast(relevance as double)) as largest,
    {{ shown_level | literal }} as level,
    round(max(try_cast(relevance as double)) / 2, 2) as half
from {{ judged }}
