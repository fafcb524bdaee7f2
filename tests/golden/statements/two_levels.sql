-- sqlrank 0.1.0
-- metrics: ap(rel=2)@100, ap@100, rprec
-- conventions: rel=1, ties=doc-desc, order=desc, score-type=double, query-set=judged, empty=zero,
-- unjudged=nonrelevant, duplicates=error, judgments=error
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
        row_number() over (
            partition by query_id
            order by score desc, doc_id desc
        ) as rank
    from run_rows
),

-- the queries that were judged, with what there is to find
judged_queries as (
    select
        cast(sum(case when relevance >= 2 then 1 else 0 end) as double) as relevant_rel2,
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
        coalesce(judged.relevant_rel2, 0) as relevant_rel2,
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
        cast(case when relevance >= 2 then 1 else 0 end as double) as hit_rel2,
        cast(case when relevance >= 1 then 1 else 0 end as double) as hit,
        query_rows.relevant as query_relevant,
        relevance
    from ranked
    inner join qrels_rows
        on ranked.query_id = qrels_rows.query_id and ranked.doc_id = qrels_rows.doc_id
    inner join query_rows
        on ranked.query_id = query_rows.query_id
),

-- the same with what stands above each of them
hitting_points as (
    select
        query_id,
        rank,
        hit_rel2,
        sum(hit_rel2) over (
            partition by query_id
            order by rank
            rows between unbounded preceding and current row
        ) as hits_rel2,
        hit,
        sum(hit) over (
            partition by query_id
            order by rank
            rows between unbounded preceding and current row
        ) as hits,
        query_relevant,
        relevance
    from retrieved
),

-- what the metrics look at: documents found, places of the ideal ranking, and one row for each query
observations as (
    select
        query_id,
        hit_rel2,
        hits_rel2,
        hit_rel2 * hits_rel2 / rank as precision_at_hit_rel2,
        cast(0 as double) as relevant_rel2,
        hit,
        hits,
        hit * hits / rank as precision_at_hit,
        cast(0 as double) as relevant,
        query_relevant,
        rank as place
    from hitting_points

    union all

    select
        query_id,
        0 as hit_rel2,
        0 as hits_rel2,
        0 as precision_at_hit_rel2,
        relevant_rel2,
        0 as hit,
        0 as hits,
        0 as precision_at_hit,
        relevant,
        0 as query_relevant,
        null as place
    from query_rows
),

-- one row for each query
per_query as (
    select
        'results' as system,
        query_id,
        case
            when max(relevant_rel2) = 0 then 0
            else coalesce(
                sum(case when place <= 100 then precision_at_hit_rel2 else 0 end)
                / nullif(max(relevant_rel2), 0),
                0
            )
        end as ap_rel2_at_100,
        case
            when max(relevant) = 0 then 0
            else coalesce(
                sum(case when place <= 100 then precision_at_hit else 0 end)
                / nullif(max(relevant), 0),
                0
            )
        end as ap_at_100,
        case
            when max(relevant) = 0 then 0
            else coalesce(
                sum(case when place <= query_relevant then hit else 0 end) / nullif(max(relevant), 0),
                0
            )
        end as rprec
    from observations
    group by query_id
)

select
    system,
    query_id,
    ap_rel2_at_100,
    ap_at_100,
    rprec
from per_query
