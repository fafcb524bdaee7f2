{# How far the shares of the rankers differ from query to query: chi square of what is independent, once for each query and
   ranker, with its degrees of freedom. #}
with
units as (
    select
        query_id,
        system,
        cast(count(distinct {{ unit | ident }}) as double) as units
    from {{ log }}
    where system is not null
    group by query_id, system
),

totals as (
    select
        query_id,
        sum(units) as of_query
    from units
    group by query_id
),

shares as (
    select
        system,
        sum(units) / (select sum(units) from units) as share
    from units
    group by system
)

select
    sum(
        (coalesce(units.units, 0) - totals.of_query * shares.share) * (coalesce(units.units, 0) - totals.of_query * shares.share)
        / (totals.of_query * shares.share)
    ) as chi_square,
    (count(distinct totals.query_id) - 1) * (count(distinct shares.system) - 1) as degrees
from totals
cross join shares
left join units on totals.query_id = units.query_id and shares.system = units.system
-- where fewer than five are expected chi square is no guide
where totals.of_query * (select min(least_share.share) from shares as least_share) >= 5
