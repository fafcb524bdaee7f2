{#
title = "the scale of a metric is taken from the data"
input = "qrels"
severity = "note"
message = "{metrics}: max is {found}, the largest relevance of the judgments; write max={found} to keep it for other data"
#}
select
    {{ texts | literal }} as metrics,
    max(try_cast(relevance as double)) as found
from {{ judged }}
