-- sqlrank 0.1.0
-- metrics: ndcg@10
-- conventions: rel=1, ties=doc-desc, order=desc, score-type=double, query-set=shared, empty=zero,
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

-- the queries that are averaged
query_rows as (
    select
        found.query_id as query_id,
        coalesce(
            cast(asked.country as varchar),
            case when found.query_id is null then '(no results)' else '(none)' end
        ) as country,
        cast(asked.traffic as double) as weight,
        coalesce(judged.gainful, 0) as gainful,
        cast(coalesce(found.returned, 0) as double) as retrieved
    from found_queries as found
    inner join judged_queries as judged
        on found.query_id = judged.query_id
    left join queries as asked
        on found.query_id = cast(asked.query_id as varchar)
),

-- the documents found that were judged
retrieved as (
    select
        ranked.query_id as query_id,
        ranked.rank as rank,
        case when relevance > 0 then relevance else 0 end as gain,
        relevance
    from ranked
    inner join qrels_rows
        on ranked.query_id = qrels_rows.query_id and ranked.doc_id = qrels_rows.doc_id
    where rank <= 10
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
        cast(null as varchar) as country,
        cast(null as double) as weight,
        gain,
        cast(0 as double) as ideal_gain,
        ln(2.0) / ln(rank + 1) as discount,
        cast(0 as double) as gainful,
        rank as place
    from retrieved

    union all

    select
        ideal_rows.query_id as query_id,
        null as country,
        null as weight,
        0 as gain,
        ideal_rows.ideal_gain as ideal_gain,
        ln(2.0) / ln(place + 1) as discount,
        0 as gainful,
        ideal_rows.place as place
    from ideal as ideal_rows
    inner join query_rows
        on ideal_rows.query_id = query_rows.query_id
    where ideal_rows.place <= 10

    union all

    select
        query_id,
        country,
        weight,
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
        max(country) as country,
        max(weight) as weight,
        case
            when max(gainful) = 0 then 0
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
    country,
    weight,
    ndcg_at_10
from per_query
