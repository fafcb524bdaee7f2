-- what anybody would write: rank, join, sum, with no convention and no missing query
with

ranked as (
    select
        query_id,
        doc_id,
        row_number() over (partition by query_id order by score desc, doc_id desc) as rank
    from read_parquet(getvariable('run'))
),

judged as (
    select
        query_id,
        doc_id,
        relevance
    from read_parquet(getvariable('qrels'))
),

found as (
    select
        ranked.query_id,
        ranked.rank,
        judged.relevance
    from ranked
    inner join judged
        on ranked.query_id = judged.query_id and ranked.doc_id = judged.doc_id
)

select sum(relevance / log2(rank + 1)) / (select count(distinct query_id) from judged) as dcg
from found;

select count(*) as duplicates
from (
    select hash(query_id, doc_id) as pair
    from read_parquet(getvariable('run'))
    group by pair
    having count(*) > 1
) as repeated;
