{#
title = "mean of the best action of each examined impression"
reads = "sequence"
interval = "gamma"
graded = true
prior = "none"
assumes = "people look from the top on to the last document they did something with, and at nothing below it"
#}
select
    query_id,
    doc_id,
    impressions,
    clicks,
    grades / examined as relevance,
    -- a sum of Poisson numbers, each with its weight (Fay and Feuer, Statistics in Medicine 16, 1997)
    case when grades > 0 then grades * grades / squares else 0 end as shape_low,
    (grades + 3) * (grades + 3) / (squares + 9) as shape_high,
    case when grades > 0 then squares / grades / examined else 0 end as scale_low,
    (squares + 9) / (grades + 3) / examined as scale_high
from (
    select
        query_id,
        doc_id,
        sum(impressions) as impressions,
        sum(clicks) as clicks,
        cast(sum(examined) as {{ double }}) as examined,
        cast(sum(grades) as {{ double }}) as grades,
        cast(sum(squares) as {{ double }}) as squares
    from {{ cells }}
    group by query_id, doc_id
) as pairs
-- of what nobody looked at nothing is known
where examined > 0
