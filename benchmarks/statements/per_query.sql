-- place the run, keep what is relevant, and divide by the best that the judgments allow
with placed as (
    select query_id, doc_id, row_number() over (partition by query_id order by score desc, doc_id desc) as place
    from run
),
found as (
    select
        placed.query_id, qrels.relevance, placed.place,
        row_number() over (partition by placed.query_id order by placed.place) as hits
    from placed
    join qrels on qrels.query_id = placed.query_id and qrels.doc_id = placed.doc_id
    where qrels.relevance > 0
),
gained as (
    select
        query_id,
        sum(case when place <= 10 then relevance / ln(place + 1) end) as dcg,
        sum(hits * 1.0 / place) as precisions
    from found
    group by query_id
),
judged as (
    select query_id, relevance, row_number() over (partition by query_id order by relevance desc) as place
    from qrels
),
ideal as (
    select
        query_id,
        sum(case when place <= 10 then relevance / ln(place + 1) end) as dcg,
        sum(case when relevance > 0 then 1 else 0 end) as positives
    from judged
    group by query_id
)
select
    ideal.query_id,
    coalesce(gained.dcg / ideal.dcg, 0) as ndcg_at_10,
    coalesce(gained.precisions / ideal.positives, 0) as ap
from ideal
left join gained on gained.query_id = ideal.query_id
