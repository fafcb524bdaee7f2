-- A run of {rows} rows as CSV, 1,000 for each query, and two judgments a query.
copy (
    select
        'q' || cast(i // 1000 as varchar) as query_id,
        'd' || cast((i * 7919) % 10000019 as varchar) as doc_id,
        round((hash(i, 1) % 1000000) / 50000.0, 6) as score
    from range({rows}) as numbers (i)
) to 'run.csv' (format csv, header);
copy (
    select
        'q' || cast(i // 1000 as varchar) as query_id,
        'd' || cast((i * 7919) % 10000019 as varchar) as doc_id,
        1 as relevance
    from range({rows}) as numbers (i)
    where i % 1000 in (17, 503)
) to 'qrels.parquet';
