-- sqlrank 0.3.0: sqlrank sql ranker.results --qrels judgments -m num_q -m num_ret -m num_rel -m num_rel_ret
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
-- the queries that were judged, with what there is to find
judged_queries as (
    select query_id, sum(case when relevance >= 1 then 1e0 else 0 end) as relevant
    from judged
    group by query_id
),
-- the queries that have results
found_queries as (
    select cast(query_id as varchar) as query_id, count(*) as returned
    from ranker.results
    where score is not null
    group by cast(query_id as varchar)
),
-- the queries that are averaged
query_rows as (
    select
        judged.query_id as query_id,
        cast(coalesce(judged.relevant, 0) as double) as relevant,
        cast(coalesce(found.returned, 0) as double) as retrieved
    from judged_queries as judged
    left join found_queries as found
        on judged.query_id = found.query_id
),
-- the documents found that were judged relevant, with what stands above each of them
scored as (
    select
        ranked.query_id as query_id,
        judged.relevance as relevance,
        ranked.rank as rank
    from ranked
    inner join judged on ranked.query_id = judged.query_id and ranked.doc_id = judged.doc_id
    where judged.relevance > 0
)
select
    query_rows.query_id as query_id,
    cast(1 as double) as num_q,
    max(query_rows.retrieved) as num_ret,
    max(query_rows.relevant) as num_rel,
    sum(case when relevance >= 1 then 1e0 else 0 end) as num_rel_ret
from query_rows
left join scored on query_rows.query_id = scored.query_id
group by query_rows.query_id
