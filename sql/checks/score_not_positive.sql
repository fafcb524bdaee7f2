{#
title = "a tool takes documents with such scores for not relevant"
input = "run"
exit = "usage"
message = "{findings:score is|scores are} 0 or less, and {tool} takes such documents for not relevant in {metrics}; add a number to every score, or leave out {option:like}"
#}
select
    {{ tool | literal }} as tool,
    {{ texts | literal }} as metrics
from {{ run }}
where try_cast(score as double) <= 0
