-- what anybody would write: rank, join, sum, with no convention and no missing query
with

ranked as (
    select
        query_id,
        doc_id,
        row_number() over (partition by query_id order by score desc, doc_id desc) as rank
    from 'run.parquet'
),

found as (
    select
        ranked.query_id,
        ranked.rank,
        qrels.relevance
    from ranked
    inner join 'qrels.parquet' as qrels
        on ranked.query_id = qrels.query_id and ranked.doc_id = qrels.doc_id
)

select sum(relevance / log2(rank + 1)) as dcg
from found;

select count(*) as duplicates
from (
    select hash(query_id, doc_id) as pair
    from 'run.parquet'
    group by pair
    having count(*) > 1
);
