{# What all clicks are worth, each over the propensity of its position. #}
select sum(corrected)
from {{ documents }}
