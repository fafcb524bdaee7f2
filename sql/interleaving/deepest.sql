select max(position) as deepest
from {{ rows }}
