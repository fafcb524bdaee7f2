-- sqlrank 0.2.0: sqlrank sql ranker.results --qrels judgments -m ndcg@10 -m num_ret --summary --by queries.country --queries queries
-- with rel=1, ties=doc-desc, order=desc, score-type=double, query-set=judged, empty=zero, unjudged=nonrelevant, duplicates=error, judgments=error
-- assumes: no null ids, finite scores, one row for each query and document in the run and in the judgments
-- means with their standard errors, over the per-query rows
with

per_query as (
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
        inner join judged on ranked.query_id = judged.query_id and ranked.doc_id = judged.doc_id
        where ranked.rank <= 10
    ),
    -- the discounted gain of the judgments in the best order
    ideal as (
        select query_id, sum(relevance * ln(2.0) / ln(ideal_rank + 1)) as best_dcg_at_10
        from (
            select query_id, unnest(max(relevance, 10)) as relevance, generate_subscripts(max(relevance, 10), 1) as ideal_rank
            from judged
            where relevance > 0
            group by query_id
        ) as places
        group by query_id
    ),
    -- what the metrics look at: documents found, what is known of each query, and rows of other kinds
    observations as (
        select
            query_id,
            cast(null as varchar) as country,
            cast(null as double) as best_dcg_at_10,
            cast(null as double) as retrieved,
            relevance,
            rank,
            nullif(rank, rank) as place
        from scored

        union all

        select
            query_rows.query_id as query_id,
            null as country,
            cast(ideal.best_dcg_at_10 as double) as best_dcg_at_10,
            null as retrieved,
            null as relevance,
            null as rank,
            null as place
        from query_rows
        inner join ideal
            on query_rows.query_id = ideal.query_id

        union all

        select
            query_id,
            country,
            null as best_dcg_at_10,
            retrieved,
            null as relevance,
            null as rank,
            null as place
        from query_rows
    )
    select
        query_id,
        max(country) as country,
        coalesce(
            sum(case when rank <= 10 and relevance > 0 then relevance * ln(2.0) / ln(rank + 1) else 0 end)
            / nullif(max(best_dcg_at_10), 0), 0
        ) as ndcg_at_10,
        max(retrieved) as num_ret
    from observations
    group by query_id
),

-- every query twice: in its segment, and in the total
scoped as (
    select
        case when is_total then '' else country end as country,
        ndcg_at_10,
        num_ret,
        is_total
    from per_query
    cross join (
        select false as is_total
        union all
        select true as is_total
    ) as scopes
),

-- the mean of each metric, or its sum where it is a count, and the standard error
totals as (
    select
        country, is_total,
        count(ndcg_at_10) as ndcg_at_10_queries,
        case when count(ndcg_at_10) > 1 then stddev_samp(ndcg_at_10) / sqrt(count(ndcg_at_10)) end as ndcg_at_10_stderr,
        avg(ndcg_at_10) as ndcg_at_10_value,
        count(num_ret) as num_ret_queries,
        sum(num_ret) as num_ret_value
    from scoped
    group by country, is_total
),

-- a row for each metric
by_metric as (
    select
        country, is_total,
        metric,
        case metric when 'ndcg@10' then ndcg_at_10_value when 'num_ret' then num_ret_value end as value,
        case metric when 'ndcg@10' then ndcg_at_10_queries when 'num_ret' then num_ret_queries end as queries,
        case metric when 'ndcg@10' then ndcg_at_10_stderr end as stderr
    from totals
    cross join (
        select 'ndcg@10' as metric
        union all
        select 'num_ret' as metric
    ) as metrics
),

-- the 97.5 % point of Student's t by an expansion in 1 / (queries - 1), which is exact to 1e-4 from ten queries on;
-- none where all values are alike, as they do not show how much they vary
intervals as (
    select
        country, is_total,
        metric,
        value,
        queries,
        stderr,
        case
            when queries >= 10 and stderr > 1e-9 * abs(value)
                then
                    1.959963984540054 + 2.372271230298562 / (queries - 1) + 2.8224986157396112 / power(queries - 1, 2)
                    + 2.555849679507722 / power(queries - 1, 3) + 1.5895340533938224 / power(queries - 1, 4)
        end as quantile
    from by_metric
)

select
    case when is_total then null else country end as country,
    is_total,
    metric,
    value,
    queries,
    stderr,
    value - quantile * stderr as ci_low,
    value + quantile * stderr as ci_high
from intervals
