-- sqlrank 0.3.0: sqlrank sql ranker.results --qrels judgments -m ndcg@10 -m ap -m rr -m p@10 -m recall@100
-- with rel=1, ties=doc-desc, order=desc, score-type=double, query-set=judged, empty=zero, unjudged=nonrelevant
-- assumes: no null ids, finite scores and relevances (a null one is no judgment), one row for each query and document in the run and in the judgments
with
-- the rank of each document
ranked as (
    select
        cast(query_id as varchar) as query_id,
        cast(doc_id as varchar) as doc_id,
        row_number() over (partition by cast(query_id as varchar) order by cast(score as double) desc, cast(doc_id as varchar) desc) as rank
    from ranker.results
    where score is not null
),
-- the judgments: one row for each judged document of a query
judged as not materialized (
    select
        cast(query_id as varchar) as query_id,
        cast(doc_id as varchar) as doc_id,
        cast(relevance as double) as relevance
    from judgments
    where relevance is not null
),
-- the discounted gain of the judgments in the best order
ideal as (
    select query_id, list_sum([relevance * ln(2.0) / ln(ideal_rank + 1) for relevance, ideal_rank in max(relevance, 10)]) as best_dcg_at_10
    from judged
    where relevance > 0
    group by query_id
)
select
    judged.query_id as query_id,
    coalesce(
        sum(case when rank <= 10 and relevance > 0 then relevance * ln(2.0) / ln(rank + 1) else 0 end)
        / nullif(max(best_dcg_at_10), 0), 0
    ) as ndcg_at_10,
    coalesce(
        coalesce(list_sum([1e0 * hits / rank for rank, hits in list_sort(list(rank) filter (where rank is not null and relevance >= 1), 'asc')]), 0)
        / nullif(sum(case when relevance >= 1 then 1e0 else 0 end), 0), 0
    ) as ap,
    max(case when rank is not null and relevance >= 1 then 1e0 / rank else 0 end) as rr,
    sum(case when rank <= 10 and relevance >= 1 then 1e0 else 0 end) / 10 as p_at_10,
    coalesce(sum(case when rank <= 100 and relevance >= 1 then 1e0 else 0 end) / nullif(sum(case when relevance >= 1 then 1e0 else 0 end), 0), 0) as recall_at_100
from judged
left join ranked on judged.query_id = ranked.query_id and judged.doc_id = ranked.doc_id
left join ideal on judged.query_id = ideal.query_id
group by judged.query_id
