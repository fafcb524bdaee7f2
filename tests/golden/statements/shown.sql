-- sqlrank 0.3.0: sqlrank sql exports.shown -m popularity@10 -m 'diversity(missing=omit)@10' --history clicks --items goods
-- with ties=doc-desc, order=desc, score-type=double, query-set=run, empty=zero, unjudged=nonrelevant
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
        row_number() over (partition by query_id order by score desc, doc_id desc) as rank
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
        found.query_id as query_id
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
        cast(1 as double) as shown,
        cast(case
            when catalogue.category is null then 0
            else row_number() over (partition by ranked.query_id, catalogue.category order by ranked.rank asc) - 1
        end as double) as alike_above,
        cast(case
            when catalogue.category is null then 1
            when row_number() over (partition by ranked.query_id, catalogue.category order by ranked.rank asc) = 1 then 1
            else 0
        end as double) as first_of_category,
        cast(case when catalogue.category is null then 0 else 1 end as double) as categorised,
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
-- what the metrics look at: documents found, what is known of each query, and rows of other kinds
observations as (
    select
        query_id,
        popularity as popularity,
        shown as shown,
        alike_above as alike_above,
        first_of_category as first_of_category,
        categorised as categorised,
        cast(place as bigint) as place
    from shown_rows

    union all

    select
        query_id,
        null as popularity,
        null as shown,
        null as alike_above,
        null as first_of_category,
        null as categorised,
        null as place
    from query_rows
)
select
    observations.query_id as query_id,
    coalesce(
        sum(case when place <= 10 and popularity is not null then popularity else 0 end)
        / nullif(sum(case when place <= 10 and shown is not null then shown else 0 end), 0), 0
    ) as popularity_at_10,
    case
        when sum(case when place <= 10 and shown is not null then shown else 0 end) < 2 then 0
        else
            1 - 2 * sum(case when place <= 10 and alike_above is not null then alike_above else 0 end)
            / nullif(
                sum(case when place <= 10 and categorised is not null then categorised else 0 end)
                * (sum(case when place <= 10 and categorised is not null then categorised else 0 end) - 1),
                0
            )
    end as diversity_missing_omit_at_10
from observations
group by observations.query_id
