select
    count(*) as rows,
    count(distinct query_id) as queries,
    (select count(*) from read_parquet(getvariable('qrels'))) as judgments
from read_parquet(getvariable('run'));
