-- sqlrank 0.3.0: sqlrank sql ranker.results --qrels judgments -m ap -m ndcg_rel -m ndcg
-- with rel=1, ties=doc-desc, order=desc, score-type=double, query-set=judged, empty=zero, unjudged=nonrelevant
-- assumes: no null ids, finite scores and relevances (a null one is no judgment), one row for each query and document in the run and in the judgments
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
        query_id,
        sum(case when relevance >= 1 then 1e0 else 0 end) as relevant,
        sum(case when relevance > 0 then 1e0 else 0 end) as gainful
    from judged
    group by query_id
),
-- the queries that are averaged
query_rows as (
    select
        judged.query_id as query_id,
        cast(coalesce(judged.relevant, 0) as double) as relevant,
        cast(coalesce(judged.gainful, 0) as double) as gainful
    from judged_queries as judged
),
-- the documents found that were judged, with what stands above each of them
scored as (
    select
        ranked.query_id as query_id,
        judged.relevance as relevance,
        ranked.rank as rank
    from ranked
    inner join judged on ranked.query_id = judged.query_id and ranked.doc_id = judged.doc_id
),
-- the judgments in their best order
ideal_rows as (
    select
        query_id,
        relevance as ideal_gain,
        row_number() over (partition by query_id order by relevance desc) as place
    from judged
    where relevance > 0
),

-- the discounted gain of the judgments in the best order
ideal as (
    select
        query_id,
        sum(ideal_gain * ln(2.0) / ln(place + 1)) as best_dcg
    from ideal_rows
    group by query_id
),

-- the documents found, and the ideal rankings place by place
place_by_place as (
    select
        query_id,
        cast(null as double) as ideal_gain,
        relevance as relevance,
        rank as rank,
        cast(rank as bigint) as place
    from scored

    union all

    select
        query_id,
        cast(ideal_rows.ideal_gain as double) as ideal_gain,
        null as relevance,
        null as rank,
        cast(ideal_rows.place as bigint) as place
    from ideal_rows
),
-- the same with the sums of both rankings down to each place
cumulated as (
    select
        query_id,
        ideal_gain,
        relevance,
        rank,
        place,
        sum(case when relevance > 0 then relevance * ln(2.0) / ln(rank + 1) else 0 end) over (
            partition by query_id
            order by place asc
            range between unbounded preceding and current row
        ) as dcg_so_far,
        sum(case when ideal_gain is not null then ideal_gain * ln(2.0) / ln(place + 1) else 0 end) over (
            partition by query_id
            order by place asc
            range between unbounded preceding and current row
        ) as ideal_dcg_so_far
    from place_by_place
),
-- the metrics that read sums down to each place, of the columns that they need
metrics_by_place as (
    select
        query_id,
        coalesce(
            (
                sum(case when relevance > 0 then dcg_so_far / ideal_dcg_so_far else 0 end)
                + (max(gainful) - sum(case when relevance > 0 then 1e0 else 0 end))
                * sum(case when relevance > 0 then relevance * ln(2.0) / ln(rank + 1) else 0 end)
                / nullif(sum(case when ideal_gain is not null then ideal_gain * ln(2.0) / ln(place + 1) else 0 end), 0)
            ) / nullif(max(gainful), 0), 0
        ) as ndcg_rel
    from (
        select
            query_id,
            ideal_gain as ideal_gain,
            dcg_so_far as dcg_so_far,
            ideal_dcg_so_far as ideal_dcg_so_far,
            cast(null as double) as gainful,
            relevance as relevance,
            rank as rank,
            cast(place as bigint) as place
        from cumulated

        union all

        select
            query_id,
            null as ideal_gain,
            null as dcg_so_far,
            null as ideal_dcg_so_far,
            gainful as gainful,
            null as relevance,
            null as rank,
            null as place
        from query_rows
    ) as places
    group by query_id
),
-- what the metrics look at: documents found, what is known of each query, and rows of other kinds
observations as (
    select
        query_id,
        cast(null as double) as relevant,
        cast(null as double) as best_dcg,
        cast(null as double) as ndcg_rel,
        relevance as relevance,
        rank as rank
    from scored

    union all

    select
        query_rows.query_id as query_id,
        query_rows.relevant as relevant,
        cast(ideal.best_dcg as double) as best_dcg,
        cast(metrics_by_place.ndcg_rel as double) as ndcg_rel,
        null as relevance,
        null as rank
    from query_rows
    left join ideal on query_rows.query_id = ideal.query_id
    left join metrics_by_place on query_rows.query_id = metrics_by_place.query_id
)
select
    observations.query_id as query_id,
    coalesce(
        coalesce(list_sum([1e0 * hits / rank for rank, hits in list_sort(list(rank) filter (where relevance >= 1), 'asc')]), 0)
        / nullif(max(relevant), 0), 0
    ) as ap,
    max(ndcg_rel) as ndcg_rel,
    coalesce(
        sum(case when relevance > 0 then relevance * ln(2.0) / ln(rank + 1) else 0 end)
        / nullif(max(best_dcg), 0), 0
    ) as ndcg
from observations
group by observations.query_id
