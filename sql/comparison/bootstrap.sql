{% from "macros/heaps.sql" import largest, smallest %}
-- for each pair and segment, how many means of the bootstrap are on either side of 0, and those between which the middle lies;
-- a replicate in which no query stands has no mean, and is on both sides
with

{% for number in pairs %}
{% set mean %}resampled.mean_{{ number }}{% endset %}
means_{{ number }} as (
    select
        resampled.scope as scope,
        {{ replicates }} - count(*) filter (where {{ mean }} > 0) as below,
        {{ replicates }} - count(*) filter (where {{ mean }} < 0) as above,
        count({{ mean }}) as replicates,
        {{ smallest(mean, most) }} as smallest,
        {{ largest(mean, most) }} as largest
    from {{ resampled }} as resampled
    group by resampled.scope
),

-- where the ends are among the means in order: beyond the mean at a place, from either side
places_{{ number }} as (
    select
        means_{{ number }}.*,
        cast(floor(tails.tail * (means_{{ number }}.replicates - 1)) as bigint) as place,
        tails.tail * (means_{{ number }}.replicates - 1) - floor(tails.tail * (means_{{ number }}.replicates - 1)) as beyond
    from means_{{ number }}
    inner join {{ tails }} as tails
        on tails.pair = {{ number }} and means_{{ number }}.scope = tails.scope
){% if not loop.last %},{% endif +%}

{% endfor %}
{% for number in pairs %}
select
    {{ number }} as pair,
    scope,
    below,
    above,
    smallest[place + 1] + beyond * (coalesce(smallest[place + 2], smallest[place + 1]) - smallest[place + 1]) as low,
    largest[place + 1] + beyond * (coalesce(largest[place + 2], largest[place + 1]) - largest[place + 1]) as high
from places_{{ number }}
{% if not loop.last %}

union all

{% endif %}
{% endfor %}
