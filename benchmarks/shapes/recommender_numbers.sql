-- The rows of recommender with whole numbers as ids, as a warehouse has them: all of as many digits, so that their texts are in
-- the order of the numbers.
copy (
    select
        * replace (
            10000000 + cast(substr(query_id, 2) as bigint) as query_id,
            10000000 + cast(substr(doc_id, 2) as bigint) as doc_id
        )
    from read_parquet('../recommender/run.parquet')
) to 'run.parquet';

copy (
    select
        * replace (
            10000000 + cast(substr(query_id, 2) as bigint) as query_id,
            10000000 + cast(substr(doc_id, 2) as bigint) as doc_id
        )
    from read_parquet('../recommender/qrels.parquet')
) to 'qrels.parquet';
