-- sqlrank 0.2.0: sqlrank sql ranker.results --qrels judgments -m p@10 -m ap@10 --like rectools
-- with rel=1, ties=doc-desc, order=rank, score-type=double, query-set=judged, empty=zero, unjudged=nonrelevant, duplicates=error, judgments=error
-- assumes: no null ids, finite scores, one row for each query and document in the run and in the judgments
-- assumes, as RecTools does: every judgment is relevant
-- assumes, as RecTools does: ranks are whole numbers from 1 on, each once in a ranking
with
-- the rank of each document
ranked as (
    select
        cast(query_id as varchar) as query_id,
        cast(doc_id as varchar) as doc_id,
        cast(rank as double) as rank
    from ranker.results
    where rank is not null
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
-- the queries that were judged, with what there is to find
judged_queries as (
    select query_id, sum(case when relevance >= 1 then 1 else 0 end) as relevant
    from judged
    group by query_id
),
-- the documents found that were judged relevant, with what stands above each of them
scored as (
    select
        ranked.query_id as query_id,
        judged.relevance as relevance,
        sum(case when relevance >= 1 then 1 else 0 end) over (
            partition by ranked.query_id order by rank rows between unbounded preceding and current row
        ) as hits,
        ranked.rank as rank
    from ranked
    inner join judged on ranked.query_id = judged.query_id and ranked.doc_id = judged.doc_id
    where judged.relevance > 0 and ranked.rank <= 10
)
select
    judged_queries.query_id as query_id,
    sum(case when rank <= 10 and relevance >= 1 then 1 else 0 end) / 10 as p_at_10,
    coalesce(
        sum(case when rank <= 10 and relevance >= 1 then hits / rank else 0 end)
        / nullif(max(judged_queries.relevant), 0), 0
    ) as ap_at_10
from judged_queries
left join scored on judged_queries.query_id = scored.query_id
group by judged_queries.query_id
