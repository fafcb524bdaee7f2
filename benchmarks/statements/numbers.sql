-- The same relations with whole numbers as ids: those of judged documents that were not returned are below 0.
create macro number_of(id) as cast(regexp_replace(id, '^(query-|doc-|missed)', '') as bigint);

copy (
    select number_of(query_id) as query_id, number_of(doc_id) as doc_id, score
    from read_parquet(getvariable('folder') || '/run.parquet')
) to (getvariable('folder') || '/numbers/run.parquet');

copy (
    select number_of(query_id) as query_id, number_of(doc_id) as doc_id, relevance
    from read_parquet(getvariable('folder') || '/qrels.parquet')
) to (getvariable('folder') || '/numbers/qrels.parquet');
