{#
title = "vectors are of different lengths"
input = "items"
message = "vectors have from {lowest} to {largest} numbers; compare those of one model, which all have the same length"
#}
select
    min(len(cast(vector as double[]))) as lowest,
    max(len(cast(vector as double[]))) as largest
from {{ items }}
where vector is not null
having min(len(cast(vector as double[]))) <> max(len(cast(vector as double[])))
