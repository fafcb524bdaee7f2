select line
from {{ lines }}
where trim(line) <> ''{% if not comments %} and line not like '#%'{% endif +%}
limit 1
