-- The rows of sparse in no order, as a warehouse exports them.
copy (
    select
        query_id,
        doc_id,
        score
    from read_parquet('../sparse/run.parquet')
    order by hash(query_id, doc_id, 1), query_id, doc_id
) to 'run.parquet';

copy (
    select
        query_id,
        doc_id,
        relevance
    from read_parquet('../sparse/qrels.parquet')
    order by hash(doc_id, query_id, 1), query_id, doc_id
) to 'qrels.parquet';
