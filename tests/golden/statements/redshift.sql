-- sqlrank 0.3.0: sqlrank sql ranker.results --qrels judgments -m ndcg@10 -m ap --dialect redshift --column 'run.query_id=query id'
-- with rel=1, ties=doc-desc, order=desc, score-type=double, query-set=judged, empty=zero, unjudged=nonrelevant
-- assumes: no null ids, finite scores and relevances (a null one is no judgment), one row for each query and document in the run and in the judgments
with
-- the rank of each document
ranked as (
    select
        cast("query id" as varchar(65535)) as query_id,
        cast(doc_id as varchar(65535)) as doc_id,
        row_number() over (partition by cast("query id" as varchar(65535)) order by cast(score as double precision) desc, cast(doc_id as varchar(65535)) desc) as rank
    from ranker.results
    where score is not null
),
-- the judgments: one row for each judged document of a query
judged as (
    select
        cast(query_id as varchar(65535)) as query_id,
        cast(doc_id as varchar(65535)) as doc_id,
        cast(relevance as double precision) as relevance
    from judgments
    where relevance is not null
),
-- the queries that were judged, with what there is to find
judged_queries as (
    select query_id, sum(case when relevance >= 1 then cast(1 as double precision) else 0 end) as relevant
    from judged
    group by query_id
),
-- the documents found that were judged relevant, with what stands above each of them
scored as (
    select
        ranked.query_id as query_id,
        judged.relevance as relevance,
        sum(case when relevance >= 1 then cast(1 as double precision) else 0 end) over (
            partition by ranked.query_id order by rank asc rows between unbounded preceding and current row
        ) as hits,
        ranked.rank as rank
    from ranked
    inner join judged on ranked.query_id = judged.query_id and ranked.doc_id = judged.doc_id
    where judged.relevance > 0
),
-- the discounted gain of the judgments in the best order
ideal as (
    select query_id, sum(relevance * ln(2.0) / ln(ideal_rank + 1)) as best_dcg_at_10
    from (
        select query_id, relevance, row_number() over (partition by query_id order by relevance desc) as ideal_rank
        from judged
        where relevance > 0
    ) as places
    where ideal_rank <= 10
    group by query_id
)
select
    judged_queries.query_id as query_id,
    coalesce(
        sum(case when rank <= 10 and relevance > 0 then relevance * ln(2.0) / ln(rank + 1) else 0 end)
        / nullif(max(best_dcg_at_10), 0), 0
    ) as ndcg_at_10,
    coalesce(sum(case when relevance >= 1 then hits / rank else 0 end) / nullif(max(judged_queries.relevant), 0), 0) as ap
from judged_queries
left join scored on judged_queries.query_id = scored.query_id
left join ideal on judged_queries.query_id = ideal.query_id
group by judged_queries.query_id
