-- for each day the days so far, each with a weight that is smaller the older it is; those that weigh nothing are left out
smoothed as (
    select
        later.chart as chart,
        later.direction as direction,
        later.number as number,
        min(later.sign) as sign,
        min(later.days) as days,
        min(later.mean) as mean,
        min(later.scale) as scale,
        sum({{ rule.rate | literal }} * exp({{ rule.log_kept | literal }} * (later.number - earlier.number)) * earlier.residual) as smooth
    from measured as later
    inner join measured as earlier on later.chart = earlier.chart and later.direction = earlier.direction
    where
        later.scale is not null
        and earlier.number > 0
        and earlier.number <= later.number
        and later.number - earlier.number < {{ rule.oldest }}
    group by later.chart, later.direction, later.number
),

-- that mean, and how far it may be from the baseline's, whose own error counts too
limited as (
    select
        chart,
        direction,
        sign,
        number,
        mean + smooth as statistic,
        mean + sign * {{ rule.limit | literal }} * scale * sqrt(
            {{ (rule.rate / (2 - rule.rate)) | literal }}
            * case when number < {{ rule.oldest }} then 1 - exp({{ (2 * rule.log_kept) | literal }} * number) else 1 end
            + 1e0 / days
        ) as bound
    from smoothed
),

{% include "monitoring/crossed.sql" %}
