-- "C" orders by bytes and compares fastest; the join comes first, so that no document has to be found again
with placed as (
    select
        run.query_id, relevance,
        row_number() over (partition by run.query_id collate "C" order by score desc, run.doc_id collate "C" desc) as place
    from run
    left join qrels on qrels.query_id = run.query_id and qrels.doc_id = run.doc_id and relevance > 0
),
found as (
    select query_id, relevance, place, row_number() over (partition by query_id collate "C" order by place) as hits
    from placed
    where relevance > 0
),
gained as (
    select
        query_id,
        sum(relevance / ln((place + 1)::float8)) filter (where place <= 10) as dcg,
        sum(hits::float8 / place) as precisions
    from found
    group by query_id
),
judged as (
    select query_id, relevance, row_number() over (partition by query_id collate "C" order by relevance desc) as place
    from qrels
),
ideal as (
    select
        query_id,
        sum(relevance / ln((place + 1)::float8)) filter (where place <= 10) as dcg,
        count(*) filter (where relevance > 0) as positives
    from judged
    group by query_id
)
select query_id, coalesce(gained.dcg / ideal.dcg, 0) as ndcg_at_10, coalesce(precisions / positives, 0) as ap
from ideal
left join gained using (query_id)
