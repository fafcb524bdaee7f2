-- sqlrank 0.3.0: sqlrank sql ranker.results --qrels judgments -m ap --duplicates best --judgments max --order asc --where 'market = '"'"'de'"'"''
-- with rel=1, ties=doc-desc, order=asc, score-type=double, query-set=judged, empty=zero, unjudged=nonrelevant, duplicates=best, judgments=max
-- assumes: no null ids, finite scores and relevances (a null one is no judgment), one row for each query and document in the judgments
with
-- the rankings: one row for each document returned
run_rows as not materialized (
    select
        cast(query_id as varchar) as query_id,
        cast(doc_id as varchar) as doc_id,
        cast(score as double) as score
    from ranker.results
    where
        score is not null
        and (
            market = 'de'
        )
),
-- the judgments: one row for each judged document of a query
judged as (
    select
        cast(query_id as varchar) as query_id,
        cast(doc_id as varchar) as doc_id,
        max(cast(relevance as double)) as relevance
    from judgments
    where relevance is not null
    group by cast(query_id as varchar), cast(doc_id as varchar)
),
-- documents that stand more than once in a ranking, numbered from the one that counts
copies as (
    select
        query_id,
        doc_id,
        score,
        row_number() over (
            partition by query_id, doc_id
            order by score asc
        ) as copy
    from run_rows
),
-- the rankings with their judgments, null where a document was not judged
candidates as (
    select
        returned.query_id as query_id,
        returned.doc_id as doc_id,
        judged.relevance as relevance,
        returned.score as score
    from copies as returned
    left join judged
        on returned.query_id = judged.query_id and returned.doc_id = judged.doc_id
    where returned.copy = 1
),
-- the rank of each document
ranked as (
    select
        query_id,
        relevance,
        row_number() over (partition by query_id order by score asc, doc_id desc) as rank
    from candidates
),
-- the queries that were judged, with what there is to find
judged_queries as (
    select query_id, sum(case when relevance >= 1 then 1e0 else 0 end) as relevant
    from judged
    group by query_id
),
-- the queries that are averaged
query_rows as (
    select
        judged.query_id as query_id,
        cast(coalesce(judged.relevant, 0) as double) as relevant
    from judged_queries as judged
),
-- the documents found that were judged relevant, with what stands above each of them
scored as (
    select
        ranked.query_id as query_id,
        ranked.relevance as relevance,
        ranked.rank as rank
    from ranked
    where ranked.relevance > 0
)
select
    query_rows.query_id as query_id,
    coalesce(
        coalesce(list_sum([1e0 * hits / rank for rank, hits in list_sort(list(rank) filter (where relevance >= 1), 'asc')]), 0)
        / nullif(max(query_rows.relevant), 0), 0
    ) as ap
from query_rows
left join scored on query_rows.query_id = scored.query_id
group by query_rows.query_id
