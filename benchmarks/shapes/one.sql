-- One query with a million documents beside a hundred with a hundred each, and some thousand judged: what is worst for
-- a tool that hands a query to a thread. Scores have six decimals, so that more than half of them are equal to another.
create temp table ranked as
select
    'q' || cast(queries.query_number as varchar) as query_id,
    'doc-' || cast(places.place * 7919 % 10000019 as varchar) as doc_id,
    round((hash(queries.query_number, places.place) % 1000000) / 1000000.0, 6) as score
from range(101) as queries (query_number)
cross join range(cast(greatest(1, round(1000000 * getvariable('scale'))) as bigint)) as places (place)
where queries.query_number = 0 or places.place < 100;

copy (
    select
        query_id,
        doc_id,
        score
    from ranked
    order by hash(query_id, doc_id), query_id, doc_id
) to 'run.parquet';

copy (
    select
        query_id,
        doc_id,
        cast(hash(doc_id) % 4 as integer) as relevance
    from ranked
    where hash(query_id, doc_id, 1) % case when query_id = 'q0' then 250 else 10 end = 0
    order by query_id, doc_id
) to 'qrels.parquet';
