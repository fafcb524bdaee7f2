-- sqlrank 0.3.0: sqlrank sql exports.shown -m ndcg@10 -m ap --by country --column query_id=query --column rank=place --session session
-- with rel=1, ties=doc-desc, order=desc, score-type=double, query-set=judged, empty=zero, unjudged=nonrelevant
-- assumes: no null ids, finite scores and relevances (a null one is no judgment), one row for each query and document in the run and in the judgments
with
-- the rankings, with an id of several columns
given_run as (
    select
        *,
        replace(replace(cast(query as varchar), '%', '%25'), ',', '%2C')
        || ',' || replace(replace(cast(session as varchar), '%', '%25'), ',', '%2C') as sqlrank_query_id
    from exports.shown
),
-- the rank of each document
ranked as (
    select
        cast(sqlrank_query_id as varchar) as query_id,
        cast(relevance as double) as relevance,
        row_number() over (partition by cast(sqlrank_query_id as varchar) order by cast(place as double) asc, cast(doc_id as varchar) desc) as rank
    from given_run
    where place is not null
),
-- the judgments: one row for each judged document of a query
judged as not materialized (
    select
        cast(sqlrank_query_id as varchar) as query_id,
        cast(country as varchar) as country,
        cast(relevance as double) as relevance
    from given_run
    where relevance is not null
),
-- the queries that were judged, with what there is to find
judged_queries as (
    select
        query_id,
        max(country) as country,
        sum(case when relevance >= 1 then 1e0 else 0 end) as relevant
    from judged
    group by query_id
),
-- the queries that have results
found_queries as (
    select cast(sqlrank_query_id as varchar) as query_id, max(cast(country as varchar)) as country
    from given_run
    where place is not null
    group by cast(sqlrank_query_id as varchar)
),
-- the documents found that were judged relevant, with what stands above each of them
scored as (
    select
        ranked.query_id as query_id,
        ranked.relevance as relevance,
        ranked.rank as rank
    from ranked
    where ranked.relevance > 0
),
-- the discounted gain of the judgments in the best order
ideal as (
    select query_id, list_sum([relevance * ln(2.0) / ln(ideal_rank + 1) for relevance, ideal_rank in max(relevance, 10)]) as best_dcg_at_10
    from judged
    where relevance > 0
    group by query_id
)
select
    judged_queries.query_id as query_id,
    replace(replace(split_part(judged_queries.query_id, ',', 1), '%2C', ','), '%25', '%') as query,
    replace(replace(split_part(judged_queries.query_id, ',', 2), '%2C', ','), '%25', '%') as session,
    max(coalesce(found.country, judged_queries.country, case when found.query_id is null then '(no results)' else '(none)' end)) as country,
    coalesce(
        sum(case when rank <= 10 and relevance > 0 then relevance * ln(2.0) / ln(rank + 1) else 0 end)
        / nullif(max(best_dcg_at_10), 0), 0
    ) as ndcg_at_10,
    coalesce(
        coalesce(list_sum([1e0 * hits / rank for rank, hits in list_sort(list(rank) filter (where relevance >= 1), 'asc')]), 0)
        / nullif(max(judged_queries.relevant), 0), 0
    ) as ap
from judged_queries
left join scored on judged_queries.query_id = scored.query_id
left join ideal on judged_queries.query_id = ideal.query_id
left join found_queries as found on judged_queries.query_id = found.query_id
group by judged_queries.query_id
