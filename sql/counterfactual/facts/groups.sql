{# How far what was shown depends on how active users are: chi square of fifths of the users by their impressions and of {% if system %}the ranker{% else %}the first document{% endif %},
   query by query, each user once in a query. #}
with
of_users as (
    select
        user_id,
        query_id,
        count(distinct impression_id) as impressions,
        arg_min({% if system %}cast(system as varchar){% else %}cast(doc_id as varchar){% endif %}, md5_number(cast(impression_id as varchar))) as shown
    from {{ impressions }}
    where user_id is not null
        and position = 1
    group by user_id, query_id
),

active as (
    select
        user_id,
        ntile(5) over (order by sum(impressions), md5_number(cast(user_id as varchar))) as fifth
    from of_users
    group by user_id
),

counts as (
    select
        of_users.query_id,
        active.fifth,
        of_users.shown,
        cast(count(*) as double) as users
    from of_users
    inner join active on of_users.user_id = active.user_id
    where of_users.shown is not null
    group by of_users.query_id, active.fifth, of_users.shown
),

fifths as (
    select
        query_id,
        fifth,
        sum(users) as of_fifth
    from counts
    group by query_id, fifth
),

kinds as (
    select
        query_id,
        shown,
        sum(users) as of_kind
    from counts
    group by query_id, shown
),

queries as (
    select
        query_id,
        sum(of_kind) as of_query,
        min(of_kind) as least_kind
    from kinds
    group by query_id
),

expected as (
    select
        queries.query_id,
        fifths.fifth,
        kinds.shown,
        queries.of_query,
        fifths.of_fifth * kinds.of_kind / queries.of_query as expected
    from queries
    inner join fifths on queries.query_id = fifths.query_id
    inner join kinds on queries.query_id = kinds.query_id
    -- where fewer than five are expected chi square is no guide
    where queries.least_kind * (select min(least.of_fifth) from fifths as least where least.query_id = queries.query_id) / queries.of_query >= 5
)

select
    coalesce(sum((coalesce(counts.users, 0) - expected.expected) * (coalesce(counts.users, 0) - expected.expected) / expected.expected), 0) as chi_square,
    coalesce(sum(expected.expected), 0) as users,
    count(*) as cells,
    count(distinct row(expected.query_id, expected.fifth)) as fifths,
    count(distinct row(expected.query_id, expected.shown)) as kinds,
    count(distinct expected.query_id) as queries
from expected
left join counts
    on expected.query_id = counts.query_id and expected.fifth = counts.fifth and expected.shown = counts.shown
