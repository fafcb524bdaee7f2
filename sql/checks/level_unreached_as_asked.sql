{#
title = "no relevance reaches the level that was asked for"
input = "qrels"
message = "the largest relevance is {largest}, below rel={level}; metrics of that level have nothing to find"
severity = "note"
#}
select
    largest,
    {{ shown_level | literal }} as level
from (select max(try_cast(relevance as double)) as largest from {{ judged }}) as scale
where largest > 0 and largest < {{ level | literal }}
