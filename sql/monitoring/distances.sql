{# How far each day is from what the baseline lets expect, in standard deviations of its own; `errors` says whether daily values have theirs. #}
{% if errors %}
-- how much queries differ on a day of the baseline: the squared standard error that one of them would have
spreads as (
    select
        chart,
        place,
        is_baseline,
        number_of_queries,
        variance,
        avg(case when is_baseline = 1 then variance * number_of_queries end) over (partition by chart) as spread
    from marked
),

-- the squared standard error of a day: its own, or that of so many queries of the baseline where that is larger
errors as (
    select
        chart,
        place,
        is_baseline,
        case
            when variance > spread / number_of_queries then variance
            else spread / number_of_queries
        end as squared_error
    from spreads
),

-- the same relative to that of a usual day
usual_errors as (
    select
        chart,
        place,
        squared_error,
        avg(case when is_baseline = 1 then squared_error end) over (partition by chart) as usual_squared
    from errors
),

{% endif %}
-- how much a day varies: as those of the baseline, with its own standard error in the place of theirs
varying as (
    select
        residuals.chart as chart,
        residuals.place as place,
        residuals.is_baseline as is_baseline,
        residuals.value as value,
        case when baselines.weekly = 1 then residuals.weekday_mean else baselines.mean end as expected,
        baselines.deviation as deviation,
{% if errors %}
        case
            when usual_errors.squared_error is null or usual_errors.usual_squared is null then baselines.deviation * baselines.deviation
            when baselines.deviation * baselines.deviation >= usual_errors.usual_squared
                then baselines.deviation * baselines.deviation - usual_errors.usual_squared + usual_errors.squared_error
            else baselines.deviation * baselines.deviation * usual_errors.squared_error / nullif(usual_errors.usual_squared, 0)
        end as variance
{% else %}
        baselines.deviation * baselines.deviation as variance
{% endif %}
    from residuals
    inner join baselines on residuals.chart = baselines.chart
{% if errors %}
    inner join usual_errors on residuals.chart = usual_errors.chart and residuals.place = usual_errors.place
{% endif %}
),

-- how far it is from what is expected, in its own standard deviations
standardized as (
    select
        chart,
        place,
        is_baseline,
        value,
        expected,
        sqrt(variance) / nullif(deviation, 0) as width,
        (value - expected) / nullif(sqrt(variance), 0) as distance
    from varying
),

-- the same, cut, so that no single day says more than that
cut as (
    select
        chart,
        place,
        is_baseline,
        value,
        expected,
        width,
        case
            when distance > {{ rule.cut | literal }} then {{ rule.cut | literal }}
            when distance < -{{ rule.cut | literal }} then -{{ rule.cut | literal }}
            else distance
        end as distance
    from standardized
),

-- the same without their mean over the baseline
centred as (
    select
        chart,
        place,
        is_baseline,
        value,
        expected,
        width,
        distance - avg(case when is_baseline = 1 then distance end) over (partition by chart) as distance
    from cut
),
