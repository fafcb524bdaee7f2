-- sqlrank 0.1.0
-- metrics: rr@10
-- conventions: rel=1, ties=number-desc, order=desc, score-type=double, query-set=judged, empty=zero,
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
            order by score desc, length(doc_id) desc, doc_id desc
        ) as rank
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

-- what the metrics look at: documents found, places of the ideal ranking, and one row for each query
observations as (
    select
        query_id,
        hit,
        hit / rank as reciprocal_rank,
        cast(0 as double) as relevant,
        rank as place
    from retrieved

    union all

    select
        query_id,
        0 as hit,
        0 as reciprocal_rank,
        relevant,
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
                max(case when place <= 10 then reciprocal_rank else 0 end),
                0
            )
        end as rr_at_10
    from observations
    group by query_id
)

select
    system,
    query_id,
    rr_at_10
from per_query
