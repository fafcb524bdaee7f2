select
    position,
    {% if falling %}{{ start | literal }} / (position * position){% else %}{{ start | literal }}{% endif %} as propensity,
    cast(null as double) as moved
from {{ counted }}
group by position
