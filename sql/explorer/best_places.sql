-- the best orders of the queries of a page
select
    queries.number as number,
    cast(best.doc_id as varchar) as doc_id,
    best.relevance as relevance
from {{ best }} as best
inner join {{ queries }} as queries
    on best.query_id = queries.query_id
order by queries.number asc, best.place asc
