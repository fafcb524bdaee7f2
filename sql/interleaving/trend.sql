{# How the mean vote changes from day to day: the slope of a line by least squares, in votes of a day, and its variance,
   clustered by what is independent. #}
with
days as (
    select
        pair,
        known,
        alone,
        cast(date_diff('day', (select min(day) from {{ votes }}), day) as double) as day,
        votes,
        difference
    from {{ votes }}
    where votes > 0
        and day is not null
),

middles as (
    select
        pair,
        sum(votes * day) / sum(votes) as day,
        sum(difference) / sum(votes) as vote,
        count(distinct day) as days
    from days
    group by pair
),

slopes as (
    select
        days.pair,
        any_value(middles.day) as day,
        any_value(middles.vote) as vote,
        any_value(middles.days) as days,
        sum(days.votes * power(days.day - middles.day, 2)) as spread,
        sum((days.day - middles.day) * days.difference) / nullif(sum(days.votes * power(days.day - middles.day, 2)), 0) as slope
    from days
    inner join middles on days.pair = middles.pair
    group by days.pair
),

residuals as (
    select
        days.pair,
        days.known,
        days.alone,
        sum((days.day - slopes.day) * (days.difference - days.votes * (slopes.vote + slopes.slope * (days.day - slopes.day)))) as pull
    from days
    inner join slopes on days.pair = slopes.pair
    group by all
)

select
    slopes.pair,
    any_value(slopes.days) as days,
    count(*) as clusters,
    any_value(slopes.slope) as slope,
    sqrt(sum(residuals.pull * residuals.pull) * count(*) / nullif(count(*) - 1, 0)) / nullif(any_value(slopes.spread), 0) as stderr
from slopes
inner join residuals on slopes.pair = residuals.pair
group by slopes.pair
order by slopes.pair asc
