-- Rankings of 200 documents in no order, as a warehouse keeps them, with scores of which some are equal, and 50 judgments
-- of each query from 0 to 3, of which 30 were returned. Each 500th query has no results; each 300th nothing relevant.
copy (
    select
        'query-' || lpad(cast(queries.query_number as varchar), 6, '0') as query_id,
        'doc-' || cast(hash(queries.query_number, places.place, 1) % 100000 * 200 + places.place as varchar) as doc_id,
        (hash(queries.query_number, places.place, 2) % 2000) / 16.0 as score
    from range(cast(round(6500 * getvariable('scale')) as bigint)) as queries (query_number)
    cross join range(200) as places (place)
    where queries.query_number % 500 <> 499
    order by hash(queries.query_number, places.place, 3)
) to (getvariable('folder') || '/run.parquet');

copy (
    select
        'query-' || lpad(cast(queries.query_number as varchar), 6, '0') as query_id,
        case when places.place < 30 then 'doc-' else 'missed-' end
        || cast(hash(queries.query_number, places.place, 1) % 100000 * 200 + places.place as varchar) as doc_id,
        case
            when queries.query_number % 300 = 299 then 0
            else greatest(0, cast(hash(queries.query_number, places.place, 4) % 6 as integer) - 2)
        end as relevance
    from range(cast(round(6500 * getvariable('scale')) as bigint)) as queries (query_number)
    cross join range(50) as places (place)
    order by hash(queries.query_number, places.place, 5)
) to (getvariable('folder') || '/qrels.parquet');
