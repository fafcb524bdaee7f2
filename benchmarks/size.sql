select
    count(*) as rows,
    count(distinct query_id) as queries
from 'run.parquet';
