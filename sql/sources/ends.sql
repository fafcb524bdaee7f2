{% from "macros/intervals.sql" import end_of, means, method_of %}
-- the summary with the ends of the interval of each mean, cut to the range of its metric, and whose interval it is
with

summed as (
    {{ means(summary, overall if has_overall) }}
),

methods as (
    select
        summed.*,
        critical.critical as critical,
        1 + skewness * (critical.critical - skewness / 6) as low_cube,
        1 - skewness * (critical.critical + skewness / 6) as high_cube,
        {{ method_of(tolerated, steady) }} as method
    from summed
    left join {{ critical }} as critical
        on summed.effective - 1 = critical.degrees
),

ends as (
    select
        *,
        {{ end_of(-1, z, "low_cube") }} as low,
        {{ end_of(1, z, "high_cube") }} as high
    from methods
)

-- rounding leaves a mean inside its interval
select
    *,
    case when low is not null then least(value, greatest(low{% if ranges %}, case metric {% for metric, least, most in ranges %}when {{ metric | literal }} then {{ least | literal }} {% endfor %}end{% endif %})) end as ci_low,
    case when high is not null then greatest(value, least(high{% if ranges %}, case metric {% for metric, least, most in ranges %}when {{ metric | literal }} then {{ most | literal }} {% endfor %}end{% endif %})) end as ci_high
from ends
