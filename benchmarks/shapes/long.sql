-- A million rows with long ids: 10,000 queries that are UUIDs with a hundred documents each that are URLs of 80 to 120
-- characters, about five of them judged.
create temp table ranked as
select
    regexp_replace(md5('q' || cast(queries.query_number as varchar)), '(.{8})(.{4})(.{4})(.{4})(.{12})', '\1-\2-\3-\4-\5')
        as query_id,
    (hash(queries.query_number, 1) % 500000 + places.place * 7919) % 500000 as document,
    left(
        'https://www.example.org/archive/' || md5(cast(document as varchar)) || '/articles/'
        || md5(cast(document as varchar) || 'b') || md5(cast(document as varchar) || 'c'),
        cast(80 + hash(document) % 41 as bigint)
    ) as doc_id,
    round((hash(queries.query_number, places.place) % 100000) / 5000.0, 3) as score
from range(cast(greatest(1, round(10000 * getvariable('scale'))) as bigint)) as queries (query_number)
cross join range(100) as places (place);

copy (
    select
        query_id,
        doc_id,
        score
    from ranked
    order by hash(query_id) asc, query_id asc, score desc, hash(doc_id) asc
) to 'run.parquet';

copy (
    select
        query_id,
        doc_id,
        cast(1 + hash(doc_id) % 3 as integer) as relevance
    from ranked
    where hash(query_id, doc_id) % 20 = 0
    order by query_id, doc_id
) to 'qrels.parquet';
