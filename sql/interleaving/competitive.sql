{# What was shown, with 1 for the first pick of a round that the other ranker would have made too: whose it is, is chance, and
   a click on it says nothing. #}
select
    *,
    case
        when position % 2 = 0 then 0
        when cast(team as varchar) = {{ teams[0] | literal }} and rank_b < lead(rank_b) over picks then 1
        when cast(team as varchar) = {{ teams[1] | literal }} and rank_a < lead(rank_a) over picks then 1
        else 0
    end as neutral
from {{ rows }}
window picks as (partition by impression_id order by position asc)
