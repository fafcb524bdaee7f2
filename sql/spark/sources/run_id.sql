select max_by(tag, monotonically_increasing_id()) as tag
from {{ reader }}
