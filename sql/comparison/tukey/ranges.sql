{% from "macros/hashing.sql" import bits_of %}
-- in each replicate, in which every circle moves on by a distance drawn by hashing, the range of the sums of the systems
with

-- twice 60 bits for each circle and block: eight distances of 15 bits each
draws as (
    select
        scaled.scope as scope,
        scaled.circle as circle,
        blocks.number as block,
        {{ bits_of(seed, "upper") }} as upper_bits,
        {{ bits_of(seed, "lower") }} as lower_bits
    from {{ circles }} as scaled
    cross join {{ numbers }} as blocks
    where
        scaled.distance = 0
        and blocks.number >= {{ first }}
        and blocks.number < {{ last }}
),

distances as (
    select
        draws.scope as scope,
        draws.circle as circle,
        draws.block * 8 + places.number as replicate,
        ((case when places.number < 4 then draws.upper_bits else draws.lower_bits end >> (places.number % 4 * 15)) & 32767) % {{ systems | length }} as distance
    from draws
    cross join {{ numbers }} as places
    where places.number < 8
),

sums as (
    select
        distances.scope as scope,
        distances.replicate as replicate,
{% for columns in values %}
{% set metric = loop.index %}
{% set last_metric = loop.last %}
{% for column in columns %}
        sum(circles.value_{{ loop.index0 }}_{{ metric }}) as value_{{ loop.index0 }}_{{ metric }}{% if not (loop.last and last_metric) %},{% endif +%}
{% endfor %}
{% endfor %}
    from distances
    inner join {{ circles }} as circles
        on distances.circle = circles.circle and distances.distance = circles.distance
    where distances.replicate < {{ replicates }}
    group by distances.scope, distances.replicate
)

select
    scope,
    replicate,
{% for columns in values %}
{% set metric = loop.index %}
    greatest({% for column in columns %}value_{{ loop.index0 }}_{{ metric }}{% if not loop.last %}, {% endif %}{% endfor %})
        - least({% for column in columns %}value_{{ loop.index0 }}_{{ metric }}{% if not loop.last %}, {% endif %}{% endfor %}) as range_{{ metric }}{% if not loop.last %},{% endif +%}
{% endfor %}
from sums
