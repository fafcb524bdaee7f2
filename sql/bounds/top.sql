-- the largest relevance so far
select max(cast(relevance as {{ double }})) as top
from {{ judged }}
