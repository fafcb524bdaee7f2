-- The rows of sparse as the text files of TREC, in the same order.
copy (
    select
        query_id,
        'Q0' as q0,
        doc_id,
        row_number() over (partition by query_id order by score desc, hash(doc_id)) as rank,
        score,
        'bench' as tag
    from read_parquet('../sparse/run.parquet')
    order by query_id, rank
) to 'run.txt' (format csv, delimiter ' ', header false, quote '', escape '');

copy (
    select
        query_id,
        0 as iteration,
        doc_id,
        relevance
    from read_parquet('../sparse/qrels.parquet')
    order by query_id, doc_id
) to 'qrels.txt' (format csv, delimiter ' ', header false, quote '', escape '');
