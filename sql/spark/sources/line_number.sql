select count(*)
from {{ lines }}
where file = {{ file | literal }} and place <= {{ place }}
