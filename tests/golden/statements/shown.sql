-- sqlrank 0.1.0
-- metrics: popularity@10, diversity(missing=omit)@10
-- conventions: rel=1, ties=doc-desc, order=desc, score-type=double, query-set=run, empty=zero,
-- unjudged=nonrelevant, duplicates=error, judgments=error
-- assumes: no null ids, finite scores, one row for each query and document
with

-- the rankings: one row for each document returned
run_rows as not materialized (
    select
        cast(query_id as varchar) as query_id,
        cast(doc_id as varchar) as doc_id,
        cast(score as double) as score
    from exports.shown
    where score is not null
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
        cast(coalesce(found.returned, 0) as double) as retrieved
    from found_queries as found
),

-- how often each document stands in the history
known_items as (
    select
        cast(doc_id as varchar) as doc_id,
        cast(count(*) as double) as interactions,
        cast(count(distinct cast(query_id as varchar)) as double) as users
    from clicks
    group by cast(doc_id as varchar)
),

history_totals as (
    select
        cast(count(*) as double) as interactions,
        cast(count(distinct cast(query_id as varchar)) as double) as users
    from clicks
),

-- the first documents of every ranking, judged or not
shown_rows as (
    select
        ranked.query_id as query_id,
        coalesce(known_items.interactions, cast(0 as double)) as popularity,
        history_totals.interactions as history_rows,
        ln(history_totals.users / coalesce(known_items.users, 1)) / ln(2.0) as self_information,
        ln(history_totals.users) / ln(2.0) as top_information,
        cast(case
            when catalogue.category is null then 0
            else row_number() over (partition by ranked.query_id, catalogue.category order by ranked.rank) - 1
        end as double) as alike_above,
        cast(case
            when catalogue.category is null then 1
            when row_number() over (partition by ranked.query_id, catalogue.category order by ranked.rank) = 1 then 1
            else 0
        end as double) as first_of_category,
        cast(case when catalogue.category is null then 0 else 1 end as double) as categorised,
        cast(1 as double) as shown,
        ranked.rank as place
    from ranked
    left join known_items
        on ranked.doc_id = known_items.doc_id
    cross join history_totals
    left join goods as catalogue
        on ranked.doc_id = cast(catalogue.doc_id as varchar)
    inner join query_rows
        on ranked.query_id = query_rows.query_id
    where ranked.rank <= 10
),

-- what the metrics look at: documents found, places of the ideal ranking, and one row for each query
observations as (
    select
        query_id,
        popularity,
        history_rows,
        shown,
        alike_above,
        first_of_category,
        categorised,
        place
    from shown_rows

    union all

    select
        query_id,
        0 as popularity,
        0 as history_rows,
        0 as shown,
        0 as alike_above,
        0 as first_of_category,
        0 as categorised,
        null as place
    from query_rows
),

-- one row for each query
per_query as (
    select
        'shown' as system,
        query_id,
        coalesce(
            sum(case when place <= 10 then popularity else 0 end)
            / nullif(sum(case when place <= 10 then shown else 0 end), 0),
            0
        ) as popularity_at_10,
        case
            when sum(case when place <= 10 then shown else 0 end) < 2 then 0
            else
                1 - 2 * sum(case when place <= 10 then alike_above else 0 end)
                / nullif(
                    sum(case when place <= 10 then categorised else 0 end) * sum(case when place <= 10 then categorised else 0 end)
                    - sum(case when place <= 10 then categorised else 0 end),
                    0
                )
        end as diversity_missing_omit_at_10
    from observations
    group by query_id
)

select
    system,
    query_id,
    popularity_at_10,
    diversity_missing_omit_at_10
from per_query
