{# Counts and ends of the means of replicates: a row for each pair, segment and replicate of `means`. #}
{% from "macros/heaps.sql" import largest, smallest %}
{% set mean %}mean{% endset %}
counted as (
    select
        pair,
        scope,
        {{ replicates }} - count(*) filter (where mean > 0) as below,
        {{ replicates }} - count(*) filter (where mean < 0) as above,
        count(mean) as replicates,
        {{ smallest(mean, most) }} as smallest,
        {{ largest(mean, most) }} as largest
    from means
    group by pair, scope
),

-- where the ends are among the means in order: beyond the mean at a place, from either side
places as (
    select
        counted.*,
        cast(floor(tails.tail * (counted.replicates - 1)) as bigint) as place,
        tails.tail * (counted.replicates - 1) - floor(tails.tail * (counted.replicates - 1)) as beyond
    from counted
    inner join {{ tails }} as tails
        on counted.pair = tails.pair and counted.scope = tails.scope
)

select
    pair,
    scope,
    below,
    above,
    smallest[place + 1] + beyond * (coalesce(smallest[place + 2], smallest[place + 1]) - smallest[place + 1]) as low,
    largest[place + 1] + beyond * (coalesce(largest[place + 2], largest[place + 1]) - largest[place + 1]) as high
from places
