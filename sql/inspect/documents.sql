select {% if exact %}count(distinct {{ doc_id | ident }}){% else %}approx_count_distinct({{ doc_id | ident }}){% endif %} as documents
from {{ reader }}
