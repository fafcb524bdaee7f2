{# How far the shares of the rankers differ from query to query, or from day to day: chi square of what is independent, once
   for each of these and ranker, with its degrees of freedom. #}
{% from "macros/logs.sql" import day_of_time %}
with
units as (
    select
        {%+ if by == "day" %}{{ day_of_time("time") }}{% else %}query_id{% endif %} as stratum,
        system,
        cast(count(distinct {{ unit | ident }}) as double) as units
    from {{ log }}
    where system is not null
    group by all
),

totals as (
    select
        stratum,
        sum(units) as of_stratum
    from units
    group by stratum
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
        (coalesce(units.units, 0) - totals.of_stratum * shares.share) * (coalesce(units.units, 0) - totals.of_stratum * shares.share)
        / (totals.of_stratum * shares.share)
    ) as chi_square,
    sum(totals.of_stratum * shares.share) as units,
    (count(distinct totals.stratum) - 1) * (count(distinct shares.system) - 1) as degrees
from totals
cross join shares
left join units on totals.stratum = units.stratum and shares.system = units.system
-- where fewer than five are expected chi square is no guide
where totals.of_stratum * (select min(least_share.share) from shares as least_share) >= 5
