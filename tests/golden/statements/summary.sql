-- sqlrank 0.3.0: sqlrank sql ranker.results --qrels judgments -m ndcg@10 -m num_ret --summary --by queries.country --queries queries
-- with ties=doc-desc, order=desc, score-type=double, query-set=judged, empty=zero, unjudged=nonrelevant
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
    select cast(query_id as varchar) as query_id, count(*) as returned
    from ranker.results
    where score is not null
    group by cast(query_id as varchar)
),
-- the queries that are averaged
query_rows as (
    select
        judged.query_id as query_id,
        coalesce(cast(asked.country as varchar), case when found.query_id is null then '(no results)' else '(none)' end) as country,
        cast(coalesce(found.returned, 0) as double) as retrieved
    from judged_queries as judged
    left join found_queries as found
        on judged.query_id = found.query_id
    left join queries as asked
        on judged.query_id = cast(asked.query_id as varchar)
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
),
-- the metrics of each query
per_query as (
    select
        query_rows.query_id as query_id,
        max(country) as country,
        coalesce(
            sum(case when rank <= 10 and relevance > 0 then relevance * ln(2.0) / ln(rank + 1) else 0 end)
            / nullif(max(best_dcg_at_10), 0), 0
        ) as ndcg_at_10,
        max(query_rows.retrieved) as num_ret
    from query_rows
    left join scored on query_rows.query_id = scored.query_id
    left join ideal on query_rows.query_id = ideal.query_id
    group by query_rows.query_id
),
-- the metrics
metrics as (
    select 'ndcg@10' as metric union all select 'num_ret' as metric
),
-- each query twice, in its segment and in the total, with a row for each metric
by_metric as (
    select case when is_total then '' else country end as country, is_total, metric, case metric when 'ndcg@10' then ndcg_at_10 when 'num_ret' then num_ret end as value
    from per_query
    cross join metrics
    cross join (select false as is_total union all select true as is_total) as scopes
),
-- the mean of each metric, with its standard error
means as (
    select
        country, is_total, metric, case when metric in ('num_ret') then sum(value) else avg(value) end as value, count(value) as queries, count(value) - 1 as df,
        case when count(value) > 1 and metric in ('ndcg@10') then stddev_samp(value) / sqrt(count(value)) end as stderr
    from by_metric
    group by country, is_total, metric
),
-- half the width of each interval: Student's t, exact to 1e-4 from ten queries on; none where all values are alike
intervals as (
    select
        country, is_total, metric, value, queries, stderr,
        case
            when queries >= 10 and stderr > 1e-9 * abs(value)
                then stderr * (1.959963984540054 + (2.372271230298562 + (2.8224986157396112 + (2.555849679507722 + 1.5895340533938224 / df) / df) / df) / df)
        end as half_width
    from means
)
select case when is_total then null else country end as country, is_total, metric, value, queries, stderr, value - half_width as ci_low, value + half_width as ci_high
from intervals
