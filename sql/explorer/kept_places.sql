-- the documents of a page
select * exclude (best_rank)
from {{ places }}
order by number asc, best_rank asc, doc_id asc
