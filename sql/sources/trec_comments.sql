select count(*)
from {{ lines }}
where line like '#%'
