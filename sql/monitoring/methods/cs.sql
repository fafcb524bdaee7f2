{% from "macros/quantiles.sql" import student %}
{% set degrees %}(days - 1){% endset %}
-- the mean of the days that are watched, so far
running as (
    select
        chart,
        direction,
        sign,
        number,
        days,
        mean,
        scale,
        avg(residual) over (
            partition by chart, direction order by number asc rows between unbounded preceding and current row
        ) as shift
    from measured
    where number > 0 and scale is not null
),

-- that mean, and how far it may be from the baseline's: the radius of its confidence sequence, and half an interval of the baseline
limited as (
    select
        chart,
        direction,
        sign,
        number,
        mean + shift as statistic,
        mean + sign * scale * (
            sqrt(
                2 * (number * {{ rule.squared_rho | literal }} + 1) / ({{ rule.squared_rho | literal }} * number * number)
                * ln(sqrt(number * {{ rule.squared_rho | literal }} + 1) / {{ rule.level | literal }})
            )
            + {{ student(rule.reference, degrees) }} / sqrt(days)
        ) as bound
    from running
),

{% include "monitoring/crossed.sql" %}
