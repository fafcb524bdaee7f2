select
    position,
    propensity
from {{ examination }}
order by position asc
