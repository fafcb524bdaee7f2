-- sqlrank 0.1.0
-- metrics: ap
-- conventions: rel=1, ties=doc-desc, order=asc, score-type=double, query-set=judged, empty=zero,
-- unjudged=nonrelevant, duplicates=best, judgments=max
-- assumes: no null ids, finite scores, one row for each query and document in the run and in the judgments
with

-- the rankings: one row for each document returned
run_rows as not materialized (
    select
        cast(query_id as varchar) as query_id,
        cast(doc_id as varchar) as doc_id,
        cast(score as double) as score
    from ranker.results
    where
        score is not null
        and (
            market = 'de'
        )
),

-- the judgments: one row for each judged document of a query
qrels_rows as (
    select
        cast(query_id as varchar) as query_id,
        cast(doc_id as varchar) as doc_id,
        max(cast(relevance as double)) as relevance
    from judgments
    where relevance is not null
    group by cast(query_id as varchar), cast(doc_id as varchar)
),

-- documents that stand more than once in a ranking, numbered from the one that counts
copies as (
    select
        query_id,
        doc_id,
        score,
        row_number() over (
            partition by query_id, doc_id
            order by score asc
        ) as copy
    from run_rows
),

-- the rankings with their judgments, null where a document was not judged
candidates as (
    select
        returned.query_id as query_id,
        returned.doc_id as doc_id,
        qrels_rows.relevance as relevance,
        returned.score as score
    from copies as returned
    left join qrels_rows
        on returned.query_id = qrels_rows.query_id and returned.doc_id = qrels_rows.doc_id
    where returned.copy = 1
),

-- the rank of each document
ranked as (
    select
        query_id,
        relevance,
        row_number() over (
            partition by query_id
            order by score asc, doc_id desc
        ) as rank
    from candidates
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
        count(distinct doc_id) as returned
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
    where relevance is not null
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
        hits,
        hit * hits / rank as precision_at_hit,
        cast(0 as double) as relevant,
        rank as place
    from hitting_points

    union all

    select
        query_id,
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
        'results' as system,
        query_id,
        case
            when max(relevant) = 0 then 0
            else coalesce(
                sum(precision_at_hit)
                / nullif(max(relevant), 0),
                0
            )
        end as ap
    from observations
    group by query_id
)

select
    system,
    query_id,
    ap
from per_query
