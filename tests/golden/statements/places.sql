-- sqlrank 0.1.0
-- metrics: p@10, ap@10
-- conventions: rel=1, ties=doc-desc, order=rank, score-type=double, query-set=judged, empty=zero,
-- unjudged=nonrelevant, duplicates=error, judgments=error
-- assumes: no null ids, finite scores, one row for each query and document in the run and in the judgments
-- assumes, as RecTools does: every judgment is relevant
-- assumes, as RecTools does: ranks are whole numbers from 1 on, each once in a ranking
with

-- the rankings: one row for each document returned
run_rows as not materialized (
    select
        cast(query_id as varchar) as query_id,
        cast(doc_id as varchar) as doc_id,
        cast(rank as double) as score
    from ranker.results
    where rank is not null
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
        query_id,
        doc_id,
        score as rank
    from run_rows
),

-- the queries that were judged, with what there is to find
judged_queries as (
    select
        cast(sum(case when relevance >= 1 then 1 else 0 end) as double) as relevant,
        query_id
    from qrels_rows
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
        coalesce(judged.relevant, 0) as relevant,
        cast(coalesce(found.returned, 0) as double) as retrieved
    from judged_queries as judged
    left join found_queries as found
        on judged.query_id = found.query_id
),

-- the documents found that were judged
retrieved as (
    select
        ranked.query_id as query_id,
        ranked.rank as rank,
        cast(case when relevance >= 1 then 1 else 0 end as double) as hit,
        relevance
    from ranked
    inner join qrels_rows
        on ranked.query_id = qrels_rows.query_id and ranked.doc_id = qrels_rows.doc_id
    where rank <= 10
),

-- the same with what stands above each of them
hitting_points as (
    select
        query_id,
        rank,
        hit,
        sum(hit) over (
            partition by query_id
            order by rank
            rows between unbounded preceding and current row
        ) as hits,
        relevance
    from retrieved
),

-- what the metrics look at: documents found, places of the ideal ranking, and one row for each query
observations as (
    select
        query_id,
        hit,
        cast(0 as double) as retrieved,
        cast(0 as double) as relevant,
        hits,
        hit * hits / rank as precision_at_hit,
        rank as place
    from hitting_points

    union all

    select
        query_id,
        0 as hit,
        retrieved,
        relevant,
        0 as hits,
        0 as precision_at_hit,
        null as place
    from query_rows
),

-- one row for each query
per_query as (
    select
        'results' as system,
        query_id,
        case
            when max(relevant) = 0 then 0
            else coalesce(
                sum(case when place <= 10 then hit else 0 end) / 10,
                0
            )
        end as p_at_10,
        case
            when max(relevant) = 0 then 0
            else coalesce(
                sum(case when place <= 10 then precision_at_hit else 0 end)
                / nullif(max(relevant), 0),
                0
            )
        end as ap_at_10
    from observations
    group by query_id
)

select
    system,
    query_id,
    p_at_10,
    ap_at_10
from per_query
