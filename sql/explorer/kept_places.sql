-- the documents of a page
select * exclude (best_rank)
from {{ places }}
order by number, best_rank, doc_id
