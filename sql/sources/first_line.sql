select line
from {{ lines }}
where trim(line) <> ''
limit 1
