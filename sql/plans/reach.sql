select {% if ascending %}max{% else %}min{% endif %}(list_last(scores)) as reach
from {{ names.first_scores | ident }}
