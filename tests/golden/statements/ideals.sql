-- sqlrank 0.1.0
-- metrics: ndcg(ideal=retrieved)@10, ndcg(ideal=full)@10
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
        judged.query_id as query_id,
        coalesce(judged.gainful, 0) as gainful,
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
        case when relevance > 0 then relevance else 0 end as gain,
        relevance
    from ranked
    inner join qrels_rows
        on ranked.query_id = qrels_rows.query_id and ranked.doc_id = qrels_rows.doc_id
),

-- the digits that the numbers of places are made of
digits as (
    select 0 as digit
    union all
    select 1 as digit
    union all
    select 2 as digit
    union all
    select 3 as digit
    union all
    select 4 as digit
    union all
    select 5 as digit
    union all
    select 6 as digit
    union all
    select 7 as digit
    union all
    select 8 as digit
    union all
    select 9 as digit
),

-- what was found, in its best order
ideal_retrieved as (
    select
        query_id,
        case when relevance > 0 then relevance else 0 end as ideal_gain_retrieved,
        row_number() over (partition by query_id order by case when relevance > 0 then relevance else 0 end desc) as place
    from retrieved
    where relevance > 0
),

-- the places of a ranking of 10 documents
places_of_ideal_full as (
    select digits_1.digit + 1 as place
    from digits as digits_1
    where digits_1.digit < 10
),

-- the largest gain of all judgments
top_of_ideal_full as (
    select max(case when relevance > 0 then relevance else 0 end) as gain
    from qrels_rows
),

-- a ranking with the largest gain at every place
ideal_full as (
    select
        query_rows.query_id as query_id,
        places.place as place,
        largest.gain as ideal_gain_full
    from query_rows
    cross join places_of_ideal_full as places
    cross join top_of_ideal_full as largest
),

-- what the metrics look at: documents found, places of the ideal ranking, and one row for each query
observations as (
    select
        query_id,
        gain,
        cast(0 as double) as ideal_gain_retrieved,
        ln(2.0) / ln(rank + 1) as discount,
        cast(0 as double) as gainful,
        cast(0 as double) as ideal_gain_full,
        rank as place
    from retrieved

    union all

    select
        ideal_rows.query_id as query_id,
        0 as gain,
        ideal_rows.ideal_gain_retrieved as ideal_gain_retrieved,
        ln(2.0) / ln(place + 1) as discount,
        0 as gainful,
        0 as ideal_gain_full,
        ideal_rows.place as place
    from ideal_retrieved as ideal_rows
    where ideal_rows.place <= 10

    union all

    select
        ideal_rows.query_id as query_id,
        0 as gain,
        0 as ideal_gain_retrieved,
        ln(2.0) / ln(place + 1) as discount,
        0 as gainful,
        ideal_rows.ideal_gain_full as ideal_gain_full,
        ideal_rows.place as place
    from ideal_full as ideal_rows
    where ideal_rows.place <= 10

    union all

    select
        query_id,
        0 as gain,
        0 as ideal_gain_retrieved,
        0 as discount,
        gainful,
        0 as ideal_gain_full,
        null as place
    from query_rows
),

-- one row for each query
per_query as (
    select
        'results' as system,
        query_id,
        case
            when max(gainful) = 0 then 0
            else coalesce(
                sum(case when place <= 10 then gain * discount else 0 end)
                / nullif(sum(case when place <= 10 then ideal_gain_retrieved * discount else 0 end), 0),
                0
            )
        end as ndcg_ideal_retrieved_at_10,
        case
            when max(gainful) = 0 then 0
            else coalesce(
                sum(case when place <= 10 then gain * discount else 0 end)
                / nullif(sum(case when place <= 10 then ideal_gain_full * discount else 0 end), 0),
                0
            )
        end as ndcg_ideal_full_at_10
    from observations
    group by query_id
)

select
    system,
    query_id,
    ndcg_ideal_retrieved_at_10,
    ndcg_ideal_full_at_10
from per_query
