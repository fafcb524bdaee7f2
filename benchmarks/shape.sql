-- 7,000 queries with 1,000 documents each, about two of them judged. Ids are text and scores have ties.
create table ranked as
select distinct on (query_id, doc_id)
    'q' || cast(100000 + query as varchar) as query_id,
    'doc-' || cast(hash(query * 1000 + document) % 8800000 as varchar) as doc_id,
    round((hash(query * 7919 + document * 31) % 1000000) / 50000.0, 3) as score
from range(7000) as queries (query)
cross join range(1000) as documents (document);

copy (from ranked order by query_id, score desc) to 'run.parquet';

copy (
    select
        query_id,
        doc_id,
        1 + cast(hash(doc_id) % 3 as integer) as relevance
    from ranked
    where hash(query_id || doc_id) % 500 = 0
    order by query_id, doc_id
) to 'qrels.parquet';
