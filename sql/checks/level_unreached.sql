{#
title = "no relevance reaches the level"
input = "qrels"
message = "the largest relevance is {largest}, so rel={level} finds nothing relevant; for click rates and other fractions choose {option:rel {half}}"
#}
select
    largest,
    {{ shown_level | literal }} as level,
    round(largest / 2, 2) as half
from (select max(try_cast(relevance as double)) as largest from {{ judged }}) as scale
where largest > 0 and largest < {{ level | literal }}
