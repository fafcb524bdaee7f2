{#
title = "scores and judgments may have been swapped"
input = "run"
severity = "note"
message = "all scores are whole numbers up to {largest}, as judgments are, and {findings} judgments are not, as scores are; the run comes first: evaluate(run, qrels)"
#}
select
    case when found.fractions = 0 then judged.fractions else 0 end as findings,
    found.largest
from (
    select
        max(score) as largest,
        sum(case when score = floor(score) and score between 0 and 10 then 0 else 1 end) as fractions
    from (select try_cast(score as {{ double }}) as score from {{ run }}) as scores
) as found
cross join (
    select sum(case when relevance = floor(relevance) and relevance >= 0 then 0 else 1 end) as fractions
    from (select try_cast(relevance as {{ double }}) as relevance from {{ judged }}) as relevances
) as judged
