{# In how many of so many draws of a sign for each independent unit the sum of votes is as far from 0 as it is. The signs of
   units whose votes differ alike are as many bits of numbers of chance. #}
{% from "macros/hashing.sql" import chance_of %}
{% set scope %}{% for segment in segments %}{{ segment | ident }}, {% endfor %}{% endset %}
with
sizes as (
    select
        pair,
        {{ scope }}abs(difference) as size,
        count(*) as units
    from {{ votes }}
    where difference <> 0
    group by all
),

seen as (
    select
        pair,
        {{ scope }}abs(sum(difference)) as total
    from {{ votes }}
    group by all
),

words as (
    select
        pair,
        {{ scope }}size,
        unnest(range((units + 63) // 64)) as word,
        units
    from sizes
),

draws as (
    select
        pair,
        {{ scope }}draw,
        sum(size * (2 * bit_count(
            {{ chance_of("draw", ["pair", "size", "word"], seed) }} >> cast(64 - least(64, units - 64 * word) as ubigint)
        ) - least(64, units - 64 * word))) as total
    from words
    cross join range({{ draws }}) as drawn(draw)
    group by all
)

select
    draws.pair,
    {% for segment in segments %}draws.{{ segment | ident }}, {% endfor %}count(*) filter (where abs(draws.total) >= seen.total) as as_far
from draws
inner join seen
    on draws.pair = seen.pair
{% for segment in segments %}
    and draws.{{ segment | ident }} is not distinct from seen.{{ segment | ident }}
{% endfor %}
group by all
