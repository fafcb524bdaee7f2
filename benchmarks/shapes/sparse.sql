-- 7,000 queries with 1,000 documents each, about two of them judged, in the order of a TREC run file.

-- A prime step through the collection gives every query distinct documents without looking for duplicates.
create temp table ranked as
select
    'q' || cast(100000 + queries.query_number as varchar) as query_id,
    'doc-' || cast((hash(queries.query_number) % 8800000 + places.place * 7919) % 8800000 as varchar) as doc_id,
    round((hash(queries.query_number, places.place) % 1000000) / 50000.0, 3) as score
from range(cast(greatest(1, round(7000 * getvariable('scale'))) as bigint)) as queries (query_number)
cross join range(1000) as places (place);

copy (
    select
        query_id,
        doc_id,
        score
    from ranked
    order by query_id asc, score desc, hash(doc_id) asc
) to 'run.parquet';

copy (
    select
        query_id,
        doc_id,
        cast(1 + hash(doc_id) % 3 as integer) as relevance
    from ranked
    where hash(query_id, doc_id) % 500 = 0
    order by query_id, doc_id
) to 'qrels.parquet';
