-- A labelled log of 50 million rows in the order of time: five million queries with ten documents shown, of which some
-- were clicked, from ten countries.
copy (
    select
        'session-' || lpad(to_hex(hash(queries.query_number)), 16, '0') as query_id,
        'sku' || cast((hash(queries.query_number, 1) % 2000000 + places.place * 7919) % 2000000 as varchar) as doc_id,
        round(1 - places.place / 12.0 + (hash(queries.query_number, places.place, 2) % 1000) / 8000.0, 4) as score,
        cast(hash(queries.query_number, places.place, 3) % (6 + 3 * places.place) = 0 as integer) as relevance,
        (['at', 'be', 'ch', 'de', 'es', 'fr', 'it', 'nl', 'pl', 'se'])[
            cast(1 + hash(queries.query_number, 4) % 10 as bigint)
        ] as country
    from range(cast(greatest(1, round(5000000 * getvariable('scale'))) as bigint)) as queries (query_number)
    cross join range(10) as places (place)
    order by queries.query_number, places.place
) to 'run.parquet';
