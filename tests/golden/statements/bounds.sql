-- sqlrank 0.3.0: sqlrank sql ranker.results --qrels judgments -m ndcg@10 --depth 100 --empty skip --ties worst --unjudged remove
-- with ties=worst, order=desc, score-type=double, depth=100, query-set=judged, empty=skip, unjudged=remove
-- assumes: no null ids, finite scores and relevances (a null one is no judgment), one row for each query and document in the run and in the judgments
with
-- the rankings: one row for each document returned
run_rows as not materialized (
    select
        cast(query_id as varchar) as query_id,
        cast(doc_id as varchar) as doc_id,
        cast(score as double) as score
    from ranker.results
    where score is not null
),
-- the judgments: one row for each judged document of a query
judged as (
    select
        cast(query_id as varchar) as query_id,
        cast(doc_id as varchar) as doc_id,
        cast(relevance as double) as relevance
    from judgments
    where relevance is not null
),
-- the rankings with their judgments, null where a document was not judged
candidates as (
    select
        returned.query_id as query_id,
        returned.doc_id as doc_id,
        judged.relevance as relevance,
        returned.score as score
    from run_rows as returned
    left join judged
        on returned.query_id = judged.query_id and returned.doc_id = judged.doc_id
),
-- the rank of every document returned
returned_ranks as (
    select
        query_id,
        doc_id,
        score,
        relevance,
        row_number() over (partition by query_id order by score desc, coalesce(relevance, 0) asc, doc_id desc) as returned_rank
    from candidates
),
-- the rank of each document
ranked as (
    select
        query_id,
        relevance,
        row_number() over (partition by query_id order by returned_rank asc) as rank
    from returned_ranks
    where relevance >= 0 and returned_rank <= 100
),
-- the queries that were judged, with what there is to find
judged_queries as (
    select query_id, sum(case when relevance > 0 then 1e0 else 0 end) as gainful
    from judged
    group by query_id
),
-- the queries that are averaged
query_rows as (
    select
        judged.query_id as query_id,
        cast(coalesce(judged.gainful, 0) as double) as gainful
    from judged_queries as judged
),
-- the documents found that were judged relevant, with what stands above each of them
scored as (
    select
        ranked.query_id as query_id,
        ranked.relevance as relevance,
        ranked.rank as rank
    from ranked
    where ranked.relevance > 0 and ranked.rank <= 10
),
-- the discounted gain of the judgments in the best order
ideal as (
    select query_id, list_sum([relevance * ln(2.0) / ln(ideal_rank + 1) for relevance, ideal_rank in max(relevance, 10)]) as best_dcg_at_10
    from judged
    where relevance > 0
    group by query_id
)
select
    query_rows.query_id as query_id,
    case
        when max(query_rows.gainful) = 0 then null
        else coalesce(
            sum(case when rank <= 10 and relevance > 0 then relevance * ln(2.0) / ln(rank + 1) else 0 end)
            / nullif(max(best_dcg_at_10), 0),
            0
        )
    end as ndcg_at_10
from query_rows
left join scored on query_rows.query_id = scored.query_id
left join ideal on query_rows.query_id = ideal.query_id
group by query_rows.query_id
