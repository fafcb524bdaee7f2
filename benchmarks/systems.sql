-- Ten systems over the judgments of one shape: its scores, with more noise from each to the next.
copy (
    select
        query_id,
        doc_id,
        score + number * 0.02 * (hash(query_id, doc_id, number) % 1000) / 1000.0 as score,
        number
    from read_parquet(getvariable('run'))
    cross join range(10) as numbers (number)
) to 'systems' (format parquet, partition_by (number), overwrite);
