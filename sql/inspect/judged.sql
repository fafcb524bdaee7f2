-- how much of the sampled rankings was judged, as a whole and among the first documents
select
    count(*) as documents,
    count(judged.doc_id) as judged,
    count(case when ranked.place <= {{ top }} then 1 end) as first_documents,
    count(case when ranked.place <= {{ top }} then judged.doc_id end) as first_judged,
    count(distinct ranked.query_id) as queries,
    count(distinct judged.query_id) as shared_queries
from (
    select
        query_id,
        doc_id,
        row_number() over (partition by query_id order by score {{ direction }}) as place
    from {{ run }}
) as ranked
left join (select distinct query_id, doc_id from {{ judged }} where judged) as judged
    on ranked.query_id = judged.query_id and ranked.doc_id = judged.doc_id
