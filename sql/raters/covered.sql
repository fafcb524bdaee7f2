-- of every system: the first documents, how many of them are pairs with a reference, and the queries of such pairs
select
    places.system,
    count(*) as documents,
    count(shared.doc_id) as judged,
    count(distinct queries.query_id) as queries,
    min(places.query_id) as example
from {{ places }} as places
left join (select distinct query_id, doc_id from {{ pairs }}) as shared
    on places.query_id = shared.query_id and places.doc_id = shared.doc_id
left join (select distinct query_id from {{ pairs }}) as queries
    on places.query_id = queries.query_id
group by places.system
