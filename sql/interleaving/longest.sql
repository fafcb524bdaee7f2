select greatest(max(length_a), max(length_b)) as longest
from {{ rows }}
