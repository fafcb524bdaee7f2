-- sqlrank 0.3.0: sqlrank sql ranker.results --qrels judgments -m ndcg@10 --ids native
-- with ties=doc-desc, order=desc, score-type=double, query-set=judged, empty=zero, unjudged=nonrelevant
-- assumes: no null ids, finite scores and relevances (a null one is no judgment), one row for each query and document in the run and in the judgments
-- assumes: query_id and doc_id have one type each in all relations
with
-- the rank of each document, down to the last that counts
ranked as (
    select query_id, unnest(first_ones).doc_id as doc_id, generate_subscripts(first_ones, 1) as rank
    from (
        select query_id as query_id, max(struct_pack(score := cast(score as double), tie := cast(doc_id as varchar), doc_id := doc_id), 10) as first_ones
        from ranker.results
        where score is not null
        group by query_id
    ) as rankings
),
-- the judgments: one row for each judged document of a query
judged as not materialized (
    select
        query_id as query_id,
        doc_id as doc_id,
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
    cast(judged.query_id as varchar) as query_id,
    coalesce(
        sum(case when rank <= 10 and relevance > 0 then relevance * ln(2.0) / ln(rank + 1) else 0 end)
        / nullif(max(best_dcg_at_10), 0), 0
    ) as ndcg_at_10
from judged
left join ranked on judged.query_id = ranked.query_id and judged.doc_id = ranked.doc_id and ranked.rank <= 10
left join ideal on judged.query_id = ideal.query_id
group by judged.query_id
