-- sqlrank 0.3.0: sqlrank sql ranker.results --qrels judgments -m 'ap(rel=2)@100' -m ap@100 -m rprec
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
    select
        query_id,
        sum(case when relevance >= 2 then 1e0 else 0 end) as relevant_rel2,
        sum(case when relevance >= 1 then 1e0 else 0 end) as relevant
    from judged
    group by query_id
),
-- the queries that are averaged
query_rows as (
    select
        judged.query_id as query_id,
        cast(coalesce(judged.relevant_rel2, 0) as double) as relevant_rel2,
        cast(coalesce(judged.relevant, 0) as double) as relevant
    from judged_queries as judged
),
-- the documents found that were judged relevant, with what stands above each of them
scored as (
    select
        ranked.query_id as query_id,
        judged.relevance as relevance,
        query_rows.relevant as query_relevant,
        ranked.rank as rank
    from ranked
    inner join judged on ranked.query_id = judged.query_id and ranked.doc_id = judged.doc_id
    inner join query_rows
        on ranked.query_id = query_rows.query_id
    where judged.relevance > 0
)
select
    query_rows.query_id as query_id,
    coalesce(
        coalesce(list_sum([1e0 * hits / rank for rank, hits in list_sort(list(rank) filter (where rank <= 100 and relevance >= 2), 'asc')]), 0)
        / nullif(max(query_rows.relevant_rel2), 0), 0
    ) as ap_rel2_at_100,
    coalesce(
        coalesce(list_sum([1e0 * hits / rank for rank, hits in list_sort(list(rank) filter (where rank <= 100 and relevance >= 1), 'asc')]), 0)
        / nullif(max(query_rows.relevant), 0), 0
    ) as ap_at_100,
    coalesce(sum(case when rank <= query_relevant and relevance >= 1 then 1e0 else 0 end) / nullif(max(query_rows.relevant), 0), 0) as rprec
from query_rows
left join scored on query_rows.query_id = scored.query_id
group by query_rows.query_id
