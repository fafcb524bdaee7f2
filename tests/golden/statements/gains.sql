-- sqlrank 0.1.0
-- metrics: ndcg(gain=exp2)@10, ndcg(gain=0:0,1:1,2:4)@10, dcg(discount=letor)@10
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
        cast(sum(case when relevance > 0 then 1 else 0 end) as double) as gainful_exp2,
        cast(sum(case when relevance in (1, 2) then 1 else 0 end) as double) as gainful_0x0_1x1_2x4,
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
        coalesce(judged.gainful_exp2, 0) as gainful_exp2,
        coalesce(judged.gainful_0x0_1x1_2x4, 0) as gainful_0x0_1x1_2x4,
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
        case when relevance > 0 then power(2.0, relevance) - 1 else 0 end as gain_exp2,
        cast(case when relevance = 0 then 0 when relevance = 1 then 1 when relevance = 2 then 4 else 0 end as double) as gain_0x0_1x1_2x4,
        case when relevance > 0 then relevance else 0 end as gain,
        relevance
    from ranked
    inner join qrels_rows
        on ranked.query_id = qrels_rows.query_id and ranked.doc_id = qrels_rows.doc_id
    where rank <= 10
),

-- the judgments in their best order
ideal_exp2 as (
    select
        query_id,
        case when relevance > 0 then power(2.0, relevance) - 1 else 0 end as ideal_gain_exp2,
        row_number() over (
            partition by query_id
            order by relevance desc
        ) as place
    from qrels_rows
    where relevance > 0
),

-- the judgments in their best order
ideal_0x0_1x1_2x4 as (
    select
        query_id,
        cast(case when relevance = 0 then 0 when relevance = 1 then 1 when relevance = 2 then 4 else 0 end as double) as ideal_gain_0x0_1x1_2x4,
        row_number() over (
            partition by query_id
            order by cast(case when relevance = 0 then 0 when relevance = 1 then 1 when relevance = 2 then 4 else 0 end as double) desc
        ) as place
    from qrels_rows
    where relevance in (1, 2)
),

-- what the metrics look at: documents found, places of the ideal ranking, and one row for each query
observations as (
    select
        query_id,
        gain_exp2,
        cast(0 as double) as ideal_gain_exp2,
        ln(2.0) / ln(rank + 1) as discount,
        cast(0 as double) as gainful_exp2,
        gain_0x0_1x1_2x4,
        cast(0 as double) as ideal_gain_0x0_1x1_2x4,
        cast(0 as double) as gainful_0x0_1x1_2x4,
        gain,
        case when rank <= 2 then 1 else ln(2.0) / ln(rank) end as discount_letor,
        rank as place
    from retrieved

    union all

    select
        ideal_rows.query_id as query_id,
        0 as gain_exp2,
        ideal_rows.ideal_gain_exp2 as ideal_gain_exp2,
        ln(2.0) / ln(place + 1) as discount,
        0 as gainful_exp2,
        0 as gain_0x0_1x1_2x4,
        0 as ideal_gain_0x0_1x1_2x4,
        0 as gainful_0x0_1x1_2x4,
        0 as gain,
        case when place <= 2 then 1 else ln(2.0) / ln(place) end as discount_letor,
        ideal_rows.place as place
    from ideal_exp2 as ideal_rows
    where ideal_rows.place <= 10

    union all

    select
        ideal_rows.query_id as query_id,
        0 as gain_exp2,
        0 as ideal_gain_exp2,
        ln(2.0) / ln(place + 1) as discount,
        0 as gainful_exp2,
        0 as gain_0x0_1x1_2x4,
        ideal_rows.ideal_gain_0x0_1x1_2x4 as ideal_gain_0x0_1x1_2x4,
        0 as gainful_0x0_1x1_2x4,
        0 as gain,
        case when place <= 2 then 1 else ln(2.0) / ln(place) end as discount_letor,
        ideal_rows.place as place
    from ideal_0x0_1x1_2x4 as ideal_rows
    where ideal_rows.place <= 10

    union all

    select
        query_id,
        0 as gain_exp2,
        0 as ideal_gain_exp2,
        0 as discount,
        gainful_exp2,
        0 as gain_0x0_1x1_2x4,
        0 as ideal_gain_0x0_1x1_2x4,
        gainful_0x0_1x1_2x4,
        0 as gain,
        0 as discount_letor,
        null as place
    from query_rows
),

-- one row for each query
per_query as (
    select
        'results' as system,
        query_id,
        case
            when max(gainful_exp2) = 0 then 0
            else coalesce(
                sum(case when place <= 10 then gain_exp2 * discount else 0 end)
                / nullif(sum(case when place <= 10 then ideal_gain_exp2 * discount else 0 end), 0),
                0
            )
        end as ndcg_gain_exp2_at_10,
        case
            when max(gainful_0x0_1x1_2x4) = 0 then 0
            else coalesce(
                sum(case when place <= 10 then gain_0x0_1x1_2x4 * discount else 0 end)
                / nullif(sum(case when place <= 10 then ideal_gain_0x0_1x1_2x4 * discount else 0 end), 0),
                0
            )
        end as ndcg_gain_0x0_1x1_2x4_at_10,
        coalesce(
            sum(case when place <= 10 then gain * discount_letor else 0 end),
            0
        ) as dcg_discount_letor_at_10
    from observations
    group by query_id
)

select
    system,
    query_id,
    ndcg_gain_exp2_at_10,
    ndcg_gain_0x0_1x1_2x4_at_10,
    dcg_discount_letor_at_10
from per_query
