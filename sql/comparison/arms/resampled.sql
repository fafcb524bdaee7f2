-- for each pair and segment, how many differences of the means of resampled units are on either side of 0, and those between
-- which the middle lies; a unit of both sides stands as often in either
with

scaled as (
    select
        *
    from {{ units }}
    where
        pair between {{ pairs.start }} and {{ pairs.stop - 1 }}
        and scope between {{ scopes.start }} and {{ scopes.stop - 1 }}
),

{% set width = 10 %}
{% set often = 6 %}
{% set mask = 1023 %}
{% set middle = false %}
{% include "comparison/draws.sql" %}
-- units that draw the same bits are added once
alike as (
    select
        pair,
        scope,
        place,
        bits,
{% for name in numbers_of_side %}
        sum({{ name }}) as {{ name }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from pieces
    group by pair, scope, place, bits
),

-- the same bits are drawn for 33 replicates, any two of which are independent
means as (
    select
        alike.pair as pair,
        alike.scope as scope,
        alike.place * 33 + times.number as replicate,
        sum(times.times * alike.sum_1) / nullif(sum(times.times * alike.weight_1), 0)
        - sum(times.times * alike.sum_0) / nullif(sum(times.times * alike.weight_0), 0) as mean
    from alike
    inner join {{ times }} as times
        on alike.bits = times.bits
    where alike.place * 33 + times.number < {{ replicates }}
    group by alike.pair, alike.scope, alike.place * 33 + times.number
),

{% include "comparison/percentiles.sql" %}
