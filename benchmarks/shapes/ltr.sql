-- A labelled export of about 3.8 million rows for learning to rank: 31,000 queries with 62 to 182 documents, all of
-- them judged from 0 to 4, most of them 0, and scores of two decimals, so that many are equal.
copy (
    select
        'q' || cast(queries.query_number as varchar) as query_id,
        'd' || cast((hash(queries.query_number) % 1000000 + places.place * 7919) % 1000000 as varchar) as doc_id,
        case
            when hash(queries.query_number, places.place, 1) % 100 < 52 then 0
            when hash(queries.query_number, places.place, 1) % 100 < 84 then 1
            when hash(queries.query_number, places.place, 1) % 100 < 97 then 2
            when hash(queries.query_number, places.place, 1) % 100 < 99 then 3
            else 4
        end as relevance,
        round(relevance / 20.0 + (hash(queries.query_number, places.place, 2) % 10000) / 10000.0, 2) as score
    from range(cast(greatest(1, round(31000 * getvariable('scale'))) as bigint)) as queries (query_number)
    cross join range(182) as places (place)
    where places.place < 62 + hash(queries.query_number, 3) % 121
    order by queries.query_number, hash(doc_id), doc_id
) to 'run.parquet';
