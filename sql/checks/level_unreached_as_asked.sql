{#
title = "no relevance reaches the level that was asked for"
input = "qrels"
message = "the largest relevance is {largest}, below rel={level}; metrics of that level have nothing to find"
severity = "note"
#}
select
    case when max(try_cast(relevance as double)) > 0 and max(try_cast(relevance as double)) < {{ level | literal }} then 1 else 0 end as findings,
    max(try_cast(relevance as double)) as largest,
    {{ shown_level | literal }} as level
from {{ judged }}
