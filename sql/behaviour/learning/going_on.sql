select continuation
from {{ continuation }}
