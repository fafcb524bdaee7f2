-- sqlrank 0.1.0
-- metrics: ndcg@10
-- conventions: rel=1, ties=worst, order=desc, score-type=double, depth=100, query-set=judged, empty=skip,
-- unjudged=remove, duplicates=error, judgments=error
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

-- the rankings with their judgments, null where a document was not judged
candidates as (
    select
        returned.query_id as query_id,
        returned.doc_id as doc_id,
        qrels_rows.relevance as relevance,
        returned.score as score
    from run_rows as returned
    left join qrels_rows
        on returned.query_id = qrels_rows.query_id and returned.doc_id = qrels_rows.doc_id
),

-- the rank of every document returned
returned_ranks as (
    select
        query_id,
        doc_id,
        score,
        relevance,
        row_number() over (
            partition by query_id
            order by score desc, coalesce(relevance, 0) asc, doc_id desc
        ) as returned_rank
    from candidates
),

-- the rank of each document
ranked as (
    select
        query_id,
        relevance,
        row_number() over (
            partition by query_id
            order by returned_rank
        ) as rank
    from returned_ranks
    where
        relevance >= 0
        and returned_rank <= 100
),

-- the queries that were judged, with what there is to find
judged_queries as (
    select
        cast(sum(case when relevance > 0 then 1 else 0 end) as double) as gainful,
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

-- how many results are left where the unjudged are removed
kept_queries as (
    select
        query_id,
        count(*) as kept
    from ranked
    group by query_id
),

-- the queries that are averaged
query_rows as (
    select
        judged.query_id as query_id,
        coalesce(judged.gainful, 0) as gainful,
        cast(coalesce(kept.kept, 0) as double) as retrieved
    from judged_queries as judged
    left join found_queries as found
        on judged.query_id = found.query_id
    left join kept_queries as kept
        on found.query_id = kept.query_id
),

-- the documents found that were judged
retrieved as (
    select
        ranked.query_id as query_id,
        ranked.rank as rank,
        case when relevance > 0 then relevance else 0 end as gain,
        relevance
    from ranked
    where relevance is not null and rank <= 10
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
        query_id,
        gain,
        cast(0 as double) as ideal_gain,
        ln(2.0) / ln(rank + 1) as discount,
        cast(0 as double) as gainful,
        rank as place
    from retrieved

    union all

    select
        ideal_rows.query_id as query_id,
        0 as gain,
        ideal_rows.ideal_gain as ideal_gain,
        ln(2.0) / ln(place + 1) as discount,
        0 as gainful,
        ideal_rows.place as place
    from ideal as ideal_rows
    where ideal_rows.place <= 10

    union all

    select
        query_id,
        0 as gain,
        0 as ideal_gain,
        0 as discount,
        gainful,
        null as place
    from query_rows
),

-- one row for each query
per_query as (
    select
        'results' as system,
        query_id,
        case
            when max(gainful) = 0 then null
            else coalesce(
                sum(case when place <= 10 then gain * discount else 0 end)
                / nullif(sum(case when place <= 10 then ideal_gain * discount else 0 end), 0),
                0
            )
        end as ndcg_at_10
    from observations
    group by query_id
)

select
    system,
    query_id,
    ndcg_at_10
from per_query
