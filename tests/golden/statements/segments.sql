-- sqlrank 0.3.0: sqlrank sql ranker.results --qrels judgments -m ndcg@10 --by queries.country --queries queries --query-set shared --weight queries.traffic
-- with ties=doc-desc, order=desc, score-type=double, query-set=shared, empty=zero, unjudged=nonrelevant
-- assumes: no null ids, finite scores and relevances (a null one is no judgment), one row for each query and document in the run and in the judgments
with
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
    select query_id
    from judged
    group by query_id
),
-- the queries that have results
found_queries as (
    select cast(query_id as varchar) as query_id
    from ranker.results
    where score is not null
    group by cast(query_id as varchar)
),
-- the queries that are averaged
query_rows as (
    select
        found.query_id as query_id,
        coalesce(cast(asked.country as varchar), case when found.query_id is null then '(no results)' else '(none)' end) as country,
        cast(asked.traffic as double) as weight
    from found_queries as found
    inner join judged_queries as judged
        on found.query_id = judged.query_id
    left join queries as asked
        on found.query_id = cast(asked.query_id as varchar)
),
-- the documents found that were judged relevant, with what stands above each of them
scored as (
    select
        ranked.query_id as query_id,
        judged.relevance as relevance,
        ranked.rank as rank
    from ranked
    inner join judged on ranked.query_id = judged.query_id and ranked.doc_id = judged.doc_id
    where judged.relevance > 0 and ranked.rank <= 10
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
    max(country) as country,
    max(weight) as weight,
    coalesce(
        sum(case when rank <= 10 and relevance > 0 then relevance * ln(2.0) / ln(rank + 1) else 0 end)
        / nullif(max(best_dcg_at_10), 0), 0
    ) as ndcg_at_10
from query_rows
left join scored on query_rows.query_id = scored.query_id
left join ideal on query_rows.query_id = ideal.query_id
group by query_rows.query_id
