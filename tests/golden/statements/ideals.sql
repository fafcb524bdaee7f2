-- sqlrank 0.3.0: sqlrank sql ranker.results --qrels judgments -m 'ndcg(ideal=retrieved)@10' -m 'ndcg(ideal=full)@10'
-- with ties=doc-desc, order=desc, score-type=double, query-set=judged, empty=zero, unjudged=nonrelevant
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
    select query_id
    from judged
    group by query_id
),
-- the queries that are averaged
query_rows as (
    select
        judged.query_id as query_id
    from judged_queries as judged
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
),
-- the digits that the numbers of places are made of
digits as (
    select 0 as digit
    union all
    select 1 as digit
    union all
    select 2 as digit
    union all
    select 3 as digit
    union all
    select 4 as digit
    union all
    select 5 as digit
    union all
    select 6 as digit
    union all
    select 7 as digit
    union all
    select 8 as digit
    union all
    select 9 as digit
),
-- the discounted gain of what was found in the best order
ideal_retrieved as (
    select query_id, list_sum([relevance * ln(2.0) / ln(ideal_rank + 1) for relevance, ideal_rank in max(relevance, 10)]) as best_dcg_retrieved_at_10
    from scored
    where relevance > 0
    group by query_id
),

-- the discounted gain of a ranking with the largest gain of all judgments at every place
ideal_full as (
    select
        sum(case when places.place <= 10 then largest.gain * ln(2.0) / ln(place + 1) else 0 end) as best_dcg_full_at_10
    from (
        select digits_1.digit + 1 as place
        from digits as digits_1
        where digits_1.digit < 10
    ) as places
    cross join (
        select max(case when relevance > 0 then relevance else 0 end) as gain
        from judged
    ) as largest
)
select
    query_rows.query_id as query_id,
    coalesce(
        sum(case when rank <= 10 and relevance > 0 then relevance * ln(2.0) / ln(rank + 1) else 0 end)
        / nullif(max(best_dcg_retrieved_at_10), 0), 0
    ) as ndcg_ideal_retrieved_at_10,
    coalesce(
        sum(case when rank <= 10 and relevance > 0 then relevance * ln(2.0) / ln(rank + 1) else 0 end)
        / nullif(max(best_dcg_full_at_10), 0), 0
    ) as ndcg_ideal_full_at_10
from query_rows
left join scored on query_rows.query_id = scored.query_id
left join ideal_retrieved on query_rows.query_id = ideal_retrieved.query_id
cross join ideal_full
group by query_rows.query_id
