-- means, spread and number of queries for each metric, over the per-query table; a weight of 0 leaves a query out
with

per_query as (
    -- sqlrank 0.1.0: sqlrank sql ranker.results --qrels judgments -m ndcg@10 -m num_ret --summary --by queries.country --queries queries
    -- with rel=1, ties=doc-desc, order=desc, score-type=double, query-set=judged, empty=zero, unjudged=nonrelevant, duplicates=error, judgments=error
    -- assumes: no null ids, finite scores, one row for each query and document in the run and in the judgments
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
    -- the rank of each document
    ranked as (
        select
            query_id,
            doc_id,
            row_number() over (partition by query_id order by score desc, doc_id desc) as rank
        from run_rows
    ),
    -- the queries that were judged, with what there is to find
    judged_queries as (
        select
            query_id
        from judged
        group by query_id
    ),
    -- the queries that have results
    found_queries as (
        select
            query_id,
            count(*) as returned
        from run_rows
        group by query_id
    ),
    -- the queries that are averaged
    query_rows as (
        select
            judged.query_id as query_id,
            coalesce(
                cast(asked.country as varchar),
                case when found.query_id is null then '(no results)' else '(none)' end
            ) as country,
            cast(coalesce(found.returned, 0) as double) as retrieved
        from judged_queries as judged
        left join found_queries as found
            on judged.query_id = found.query_id
        left join queries as asked
            on judged.query_id = cast(asked.query_id as varchar)
    ),
    -- the documents found that were judged
    scored as (
        select
            ranked.query_id as query_id,
            judged.relevance as relevance,
            ranked.rank as rank
        from ranked
        inner join judged
            on ranked.query_id = judged.query_id and ranked.doc_id = judged.doc_id
        where ranked.rank <= 10
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
        'results' as system,
        query_rows.query_id as query_id,
        max(query_rows.country) as country,
        coalesce(
            sum(case when rank <= 10 and relevance > 0 then relevance * ln(2.0) / ln(rank + 1) else 0 end)
            / nullif(max(best_dcg_at_10), 0), 0
        ) as ndcg_at_10,
        max(retrieved) as num_ret
    from query_rows
    left join scored on query_rows.query_id = scored.query_id
    left join ideal on query_rows.query_id = ideal.query_id
    group by query_rows.query_id
),

-- every query twice: in its segment, and in the total
scoped as (
    select
        system,
        country,
        false as is_total,
        ndcg_at_10,
        num_ret
    from per_query

    union all

    select
        system,
        '' as country,
        true as is_total,
        ndcg_at_10,
        num_ret
    from per_query
),

-- the mean of each metric, or its sum where it is a count
totals as (
    select
        system,
        country,
        is_total,
        count(ndcg_at_10) as ndcg_at_10_queries,
        fsum(ndcg_at_10) / nullif(count(ndcg_at_10), 0) as ndcg_at_10_value,
        count(num_ret) as num_ret_queries,
        sum(num_ret) as num_ret_value
    from scoped
    group by system, country, is_total
),

-- the standard error of each mean; of a weighted one by the jackknife, in which each query is left out once
spreads as (
    select
        totals.country as country,
        totals.is_total as is_total,
        max(totals.ndcg_at_10_queries) as ndcg_at_10_queries,
        max(totals.ndcg_at_10_value) as ndcg_at_10_value,
        sqrt(
            fsum(power(scores.ndcg_at_10 - totals.ndcg_at_10_value, 2))
            * max(totals.ndcg_at_10_queries) / nullif(max(totals.ndcg_at_10_queries) - 1, 0)
        ) / nullif(max(totals.ndcg_at_10_queries), 0) as ndcg_at_10_stderr,
        max(totals.num_ret_queries) as num_ret_queries,
        max(totals.num_ret_value) as num_ret_value,
        totals.system as system
    from scoped as scores
    inner join totals
        on scores.system = totals.system and scores.country = totals.country and scores.is_total = totals.is_total
    group by totals.system, totals.country, totals.is_total
)

select
    system,
    case when is_total then null else country end as country,
    is_total,
    'ndcg@10' as metric,
    ndcg_at_10_value as value,
    ndcg_at_10_queries as queries,
    ndcg_at_10_stderr as stderr
from spreads

union all

select
    system,
    case when is_total then null else country end as country,
    is_total,
    'num_ret' as metric,
    num_ret_value as value,
    num_ret_queries as queries,
    cast(null as double) as stderr
from spreads
