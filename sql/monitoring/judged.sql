{% from "macros/days.sql" import day_of, has_day %}
-- the share of documents that was judged{% if weighted %}, weighted as the metrics are{% endif %}, on the first and the last days of each system, and how its logarithm falls with days
with

days as (
    select
        {%+ if system %}{{ system | literal }}{% else %}system{% endif %} as system,
        {{ day_of(day) }} as day,
        {%+ if weighted %}sum(weight * {{ judged | ident }}) / nullif(sum(weight), 0){% else %}avg({{ judged | ident }}){% endif %} as share
    from {{ relation }}
    where {{ has_day(day) }} and {{ judged | ident }} is not null
    group by all
),

numbered as (
    select
        *,
        row_number() over (partition by system order by day asc) as place,
        row_number() over (partition by system order by day desc) as place_from_end
    from days
)

select
    system,
    count(*) as days,
    avg(case when place <= {{ span }} then share end) as first_share,
    avg(case when place_from_end <= {{ span }} then share end) as last_share,
    regr_slope(ln(nullif(share, 0)), date_diff('day', date '2000-01-01', day)) as slope,
    regr_r2(ln(nullif(share, 0)), date_diff('day', date '2000-01-01', day)) as explained
from numbered
group by system
order by last_share asc, system asc
