-- sqlrank 0.3.0: sqlrank sql ranker.results -m ndcg@10 --positives clicks
-- with ties=doc-desc, order=desc, score-type=double, query-set=judged, empty=zero, unjudged=nonrelevant, judgments=max
-- assumes: no null ids, finite scores and relevances (a null one is no judgment), one row for each query and document in the run and in the judgments
with
-- the judgments, every row of relevance 1
given_qrels as (
    select
        *,
        1 as sqlrank_relevance
    from clicks
),
-- the rank of each document, down to the last that counts
ranked as (
    select query_id, unnest(first_ones).doc_id as doc_id, generate_subscripts(first_ones, 1) as rank
    from (
        select cast(query_id as varchar) as query_id, max(struct_pack(score := cast(score as double), doc_id := cast(doc_id as varchar)), 10) as first_ones
        from ranker.results
        where score is not null
        group by cast(query_id as varchar)
    ) as rankings
),
-- the judgments: one row for each judged document of a query
judged as (
    select
        cast(query_id as varchar) as query_id,
        cast(doc_id as varchar) as doc_id,
        max(cast(sqlrank_relevance as double)) as relevance
    from given_qrels
    where sqlrank_relevance is not null
    group by cast(query_id as varchar), cast(doc_id as varchar)
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
    ) as ndcg_at_10
from judged
left join ranked on judged.query_id = ranked.query_id and judged.doc_id = ranked.doc_id and ranked.rank <= 10
left join ideal on judged.query_id = ideal.query_id
group by judged.query_id
