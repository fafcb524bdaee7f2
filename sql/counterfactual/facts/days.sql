{# How far the shares of the rankers differ from day to day: chi square of units, once for each day and ranker. #}
{% from "macros/logs.sql" import day_of_time %}
with
units as (
    select
        {{ day_of_time("time") }} as day,
        system,
        cast(count(distinct {{ unit | ident }}) as double) as units
    from {{ log }}
    where system is not null
    group by all
),

days as (
    select
        day,
        sum(units) as of_day
    from units
    group by day
),

shares as (
    select
        system,
        sum(units) / (select sum(units) from units) as share
    from units
    group by system
)

select
    sum(power(coalesce(units.units, 0) - days.of_day * shares.share, 2) / (days.of_day * shares.share)) as chi_square,
    sum(days.of_day * shares.share) as units,
    (count(distinct days.day) - 1) * (count(distinct shares.system) - 1) as degrees
from days
cross join shares
left join units on days.day = units.day and shares.system = units.system
-- where fewer than five are expected chi square is no guide
where days.of_day * (select min(least_share.share) from shares as least_share) >= 5
