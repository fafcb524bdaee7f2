{#
title = "scores and judgments may have been swapped"
input = "run"
severity = "note"
message = "all scores are whole numbers up to {largest}, as judgments are, and {findings:judgment is|judgments are} not, as scores are; the run comes first: evaluate(run, qrels)"
#}
select found.largest
from (
    select max(score) as largest
    from (select try_cast(score as {{ double }}) as score from {{ run }}) as scores
    having sum(case when score = floor(score) and score between 0 and 10 then 0 else 1 end) = 0
) as found
cross join (select try_cast(relevance as {{ double }}) as relevance from {{ judged }}) as judged
where case when judged.relevance = floor(judged.relevance) and judged.relevance >= 0 then 0 else 1 end = 1
