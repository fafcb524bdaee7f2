select
    position,
    {% if falling %}1e0 / (position * position){% else %}{{ start | literal }}{% endif %} as propensity,
    cast(null as double) as moved
from {{ counted }}
group by position
