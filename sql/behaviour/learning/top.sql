select max(propensity) as top
from {{ examination }}
