{#
title = "a relevance is above the largest that a metric was told"
input = "qrels"
message = "{findings:judgment is|judgments are} above max={most}, the largest is {largest}; write max={largest}, or leave max out"
#}
select
    max(try_cast(relevance as double)) over () as largest,
    {{ most | literal }} as most
from {{ judged }}
where try_cast(relevance as double) > {{ most | literal }}
