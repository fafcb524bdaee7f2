-- sqlrank 0.1.0
-- metrics: ndcg@10, ap
-- conventions: rel=1, ties=doc-desc, order=desc, score-type=double, query-set=judged, empty=zero,
-- unjudged=nonrelevant, duplicates=error, judgments=error
-- assumes: no null ids, finite scores, one row for each query and document in the run and in the judgments
with

-- the rankings: one row for each document returned
run_rows as (
    select
        cast(system as varchar) as system,
        cast("query id" as varchar) as query_id,
        cast(doc_id as varchar) as doc_id,
        cast(score as double) + 0.0 as score
    from ranker.results
    where score is not null
),

-- the judgments: one row for each judged document of a query
qrels_rows as (
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
        system,
        query_id,
        doc_id,
        row_number() over (
            partition by system, query_id
            order by score desc, doc_id desc
        ) as rank
    from run_rows
),

-- the queries that were judged, with what there is to find
judged_queries as (
    select
        cast(sum(case when relevance >= 1 then 1 else 0 end) as double) as relevant,
        cast(sum(case when relevance > 0 then 1 else 0 end) as double) as gainful,
        query_id
    from qrels_rows
    group by query_id
),

-- the queries that have results
found_queries as (
    select
        system,
        query_id,
        count(*) as returned
    from run_rows
    group by system, query_id
),

system_rows as (
    select system
    from run_rows
    group by system
),

-- the queries that are averaged
query_rows as (
    select
        system_rows.system as system,
        judged.query_id as query_id,
        coalesce(judged.relevant, 0) as relevant,
        coalesce(judged.gainful, 0) as gainful,
        cast(coalesce(found.returned, 0) as double) as retrieved
    from judged_queries as judged
    cross join system_rows
    left join found_queries as found
        on judged.query_id = found.query_id and system_rows.system = found.system
),

-- the documents found that were judged
retrieved as (
    select
        ranked.system as system,
        ranked.query_id as query_id,
        ranked.rank as rank,
        case when relevance > 0 then relevance else 0 end as gain,
        cast(case when relevance >= 1 then 1 else 0 end as double) as hit,
        relevance
    from ranked
    inner join qrels_rows
        on ranked.query_id = qrels_rows.query_id and ranked.doc_id = qrels_rows.doc_id
),

-- the same with what stands above each of them
hitting_points as (
    select
        system,
        query_id,
        rank,
        gain,
        hit,
        sum(hit) over (
            partition by system, query_id
            order by rank
            rows between unbounded preceding and current row
        ) as hits,
        relevance
    from retrieved
),

-- the judgments in their best order
ideal as (
    select
        query_id,
        relevance as ideal_gain,
        row_number() over (
            partition by query_id
            order by relevance desc
        ) as place
    from qrels_rows
    where relevance > 0
),

-- what the metrics look at: documents found, places of the ideal ranking, and one row for each query
observations as (
    select
        system,
        query_id,
        gain,
        cast(0 as double) as ideal_gain,
        ln(2.0) / ln(rank + 1) as discount,
        cast(0 as double) as gainful,
        hit,
        hits,
        hit * hits / rank as precision_at_hit,
        cast(0 as double) as relevant,
        rank as place
    from hitting_points

    union all

    select
        query_rows.system as system,
        ideal_rows.query_id as query_id,
        0 as gain,
        ideal_rows.ideal_gain as ideal_gain,
        ln(2.0) / ln(place + 1) as discount,
        0 as gainful,
        0 as hit,
        0 as hits,
        0 as precision_at_hit,
        0 as relevant,
        ideal_rows.place as place
    from ideal as ideal_rows
    inner join query_rows
        on ideal_rows.query_id = query_rows.query_id
    where ideal_rows.place <= 10

    union all

    select
        system,
        query_id,
        0 as gain,
        0 as ideal_gain,
        0 as discount,
        gainful,
        0 as hit,
        0 as hits,
        0 as precision_at_hit,
        relevant,
        null as place
    from query_rows
),

-- one row for each query
per_query as (
    select
        system,
        query_id,
        case
            when max(gainful) = 0 then 0
            else coalesce(
                sum(case when place <= 10 then gain * discount else 0 end)
                / nullif(sum(case when place <= 10 then ideal_gain * discount else 0 end), 0),
                0
            )
        end as ndcg_at_10,
        case
            when max(relevant) = 0 then 0
            else coalesce(
                sum(precision_at_hit)
                / nullif(max(relevant), 0),
                0
            )
        end as ap
    from observations
    group by system, query_id
)

select
    system,
    query_id,
    ndcg_at_10,
    ap
from per_query
settings join_use_nulls = 1, cast_keep_nullable = 1, prefer_column_name_to_alias = 1, query_plan_max_optimizations_to_apply = 1000000
