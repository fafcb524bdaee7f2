select
    pair,
    {{ start | literal }} as attraction,
    cast(null as double) as moved
from {{ counted }}
group by pair
