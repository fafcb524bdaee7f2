{# Users who do not behave like people: more than 200 clicks on a day, impressions of a day beyond three deviations of their
   logarithm, or a click on every result of five or more. #}
{% from "macros/logs.sql" import day_of_time %}
with
of_days as (
    select
        user_id,
        count(*) as impressions,
        sum(rows_of) as rows_of,
        sum(clicks) as clicks
    from {{ people }}
    where user_id is not null
    group by user_id{% if "time" in columns %}, {{ day_of_time("time") }}{% endif +%}
),

usual as (
    select
        avg(ln(impressions)) as middle,
        coalesce(stddev_samp(ln(impressions)), 0) as spread
    from of_days
)

select distinct user_id
from of_days
cross join usual
where clicks > 200
    or (ln(impressions) > middle + 3 * spread and impressions >= 30)
    or (clicks = rows_of and rows_of >= 20 and impressions * 5 <= rows_of)
