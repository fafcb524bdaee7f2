{% from "macros/days.sql" import day_literal %}
{% from "macros/quantiles.sql" import normal_of_f %}
{# Below which share of its square the variance of a mean is rounding. #}
{% set rounding = 1e-24 %}
{% macro named(columns) %}{% for name in columns %}{{ name | ident }}{% if not loop.last %}, {% endif %}{% endfor %}{% endmacro %}
{# Of a relation with `day`, `value` and the `keys` by which charts are told apart. What the rules need is in `rule`. #}
-- the control chart of each series of days: {{ rule.title }}
with

{% if daily_rows %}
daily_values as (
{{ daily_rows }}
),

{% endif %}
-- every value, with the number of its chart and that of its day
numbered as (
    select
        dense_rank() over (order by {{ named(keys) }}) as chart,
        row_number() over (partition by {{ named(keys) }} order by day asc) as place,
        {{ weekday }}day) as weekday,
{% for name in keys %}
        {{ name | ident }},
{% endfor %}
{% for name in carried %}
        {{ name | ident }},
{% endfor %}
        day,
{% if errors %}
        queries as number_of_queries,
        cast(variance as {{ double }}) as variance,
{% endif %}
        cast(value as {{ double }}) as value
    from {{ daily }}
    where value is not null{% if first %} and day >= {{ day_literal(first) }}{% endif +%}
),

-- the days of the baseline: {% if first %}those asked for{% else %}the first ones of each chart{% endif +%}
marked as (
    select
        chart,
        place,
        weekday,
{% if errors %}
        number_of_queries,
        variance,
{% endif %}
        value,
        case when {% if first %}day <= {{ day_literal(last) }}{% else %}place <= {{ days }}{% endif %} then 1 else 0 end as is_baseline
    from numbered
),

-- the mean of the baseline, and that of each weekday
averaged as (
    select
        chart,
        place,
        weekday,
        value,
        is_baseline,
        sum(is_baseline) over (partition by chart) as days,
        avg(case when is_baseline = 1 then value end) over (partition by chart) as mean,
        sum(is_baseline) over (partition by chart, weekday) as weekday_days,
        avg(case when is_baseline = 1 then value end) over (partition by chart, weekday) as weekday_mean
    from marked
),

-- how far each value is from both, and how far the one before was
residuals as (
    select
        chart,
        place,
        value,
        is_baseline,
        mean,
        coalesce(weekday_mean, mean) as weekday_mean,
        value - mean as plain,
        value - weekday_mean as adjusted,
        sum(value - mean) over (
            partition by chart order by place asc rows between 1 preceding and 1 preceding
        ) as plain_before,
        sum(value - weekday_mean) over (
            partition by chart order by place asc rows between 1 preceding and 1 preceding
        ) as adjusted_before
    from averaged
    where days > 0
),

-- what the days of the baseline sum up to
sums as (
    select
        chart,
        count(*) as days,
        avg(mean) as mean,
        sum(plain * plain) as squares,
        sum(adjusted * adjusted) as adjusted_squares,
        sum(plain * plain_before) as products,
        sum(adjusted * adjusted_before) as adjusted_products,
        sum(abs(plain - plain_before)) as moves,
        sum(abs(adjusted - adjusted_before)) as adjusted_moves
    from residuals
    where is_baseline = 1
    group by chart
),

-- how many weekdays the baseline has, and how often the rarest
weekdays as (
    select
        chart,
        count(distinct weekday) as weekdays,
        min(weekday_days) as fewest
    from averaged
    where is_baseline = 1
    group by chart
),

-- what F, how far weekdays are apart by how far the days of one are, is computed of; nothing where there are too few of one
compared as (
    select
        sums.chart as chart,
        weekdays.fewest as fewest,
        weekdays.weekdays as weekdays,
        nullif(weekdays.weekdays - 1, 0) as above,
        nullif(sums.days - weekdays.weekdays, 0) as below,
        case
            when weekdays.fewest >= {{ rule.fewest_weekdays }} and sums.squares > sums.adjusted_squares
                then sums.squares - sums.adjusted_squares
        end as apart,
        sums.adjusted_squares as within,
        case when sums.adjusted_squares > {{ rounding | literal }} * sums.days * sums.mean * sums.mean then 1 else 0 end as varies,
        case when sums.squares > {{ rounding | literal }} * sums.days * sums.mean * sums.mean then 1 else 0 end as changes
    from sums
    inner join weekdays on sums.chart = weekdays.chart
),

ratios_of_weekdays as (
    select
        chart,
        fewest,
        weekdays,
        varies,
        above,
        below,
        case when varies = 0 and changes = 1 and apart > 0 and above > 0 then 1 else 0 end as steady,
        apart / above * below / nullif(within, 0) as ratio
    from compared
),

-- whether weekdays differ: F as a standard normal deviate, and without end where the days of each are all alike
tested as (
    select
        chart,
        fewest,
        weekdays,
        varies,
        case
            when steady = 1 then 1
            when
                {{ normal_of_f() }} > {{ rule.weekly | literal }}
                then 1
            else 0
        end as weekly
    from ratios_of_weekdays
),

-- the baseline, without the weekdays where they differ; where the days of each are all alike, all days give the scale
settled as (
    select
        sums.chart as chart,
        sums.days as days,
        sums.mean as mean,
        tested.fewest as fewest_weekdays,
        tested.weekly as weekly,
        case when tested.weekly = 1 then 1 + 1e0 * tested.weekdays / sums.days else 1 end as estimated,
        case
            when tested.weekly = 1 and tested.varies = 1 then sums.adjusted_squares / nullif(sums.days - tested.weekdays, 0)
            else sums.squares / nullif(sums.days - 1, 0)
        end as variance,
        case
            when tested.weekly = 1
                then case when tested.varies = 1 then sums.adjusted_products / nullif(sums.adjusted_squares, 0) end
            else sums.products / nullif(sums.squares, 0)
        end as correlation,
        case
            when tested.weekly = 1 and tested.varies = 1
                then sums.adjusted_moves * sqrt(1e0 * sums.days / nullif(sums.days - tested.weekdays, 0))
            else sums.moves
        end / nullif(sums.days - 1, 0) / 1.128 as moving_deviation
    from sums
    inner join tested on sums.chart = tested.chart
),

-- the correlation of a day with the one before, without the bias of so few
corrected as (
    select
        chart,
        days,
        mean,
        fewest_weekdays,
        weekly,
        case when variance > {{ rounding | literal }} * mean * mean then sqrt(variance) end as deviation,
        case when variance > {{ rounding | literal }} * mean * mean then moving_deviation end as moving_deviation,
        sqrt(estimated) as estimated,
        case when days > 4 and variance > {{ rounding | literal }} * mean * mean then (days * correlation + 1) / nullif(days - 4, 0) end as correlation
    from settled
),

-- that of a chart relative to the mean of all charts, which many days tell better
pooled as (
    select
        chart,
        days,
        mean,
        fewest_weekdays,
        weekly,
        deviation,
        moving_deviation,
        estimated,
        correlation as own,
        sum(days * correlation) over () / nullif(sum(case when correlation is not null then days end) over (), 0) as together
    from corrected
),

-- the larger one of both
settled_correlations as (
    select
        chart,
        days,
        mean,
        fewest_weekdays,
        weekly,
        deviation,
        moving_deviation,
        estimated,
        case when own > together then own else together end as correlation
    from pooled
),

-- the same and half of its standard error, since sigma is too small where it is
widened as (
    select
        chart,
        days,
        mean,
        fewest_weekdays,
        weekly,
        deviation,
        moving_deviation,
        estimated,
        correlation,
        case
            when correlation + {{ rule.more_related | literal }} / sqrt(days) > {{ rule.most_related | literal }} then {{ rule.most_related | literal }}
            when correlation + {{ rule.more_related | literal }} / sqrt(days) > 0 then correlation + {{ rule.more_related | literal }} / sqrt(days)
            else 0
        end as related
    from settled_correlations
),

-- by what a standard deviation is multiplied, as related days say less than so many others: that of a mean, and of one day
baselines as (
    select
        chart,
        days,
        mean,
        fewest_weekdays,
        weekly,
        deviation,
        moving_deviation,
        correlation,
        sqrt((1 + related) / (1 - related)) as inflation,
        estimated * sqrt((1 + related) / (1 - related)) as factor,
        estimated * sqrt(1 + related) as day_factor
    from widened
),

{% include "monitoring/distances.sql" %}

-- what is watched: drops, rises or both
sides as (
{% for direction, sign in sides %}
    select {{ direction | literal }} as direction, {{ sign }} as sign{% if not loop.last %} union all{% endif +%}
{% endfor %}
),

-- every value next to the one expected from the baseline; the days that are watched are numbered from 1
measured as (
    select
        centred.chart as chart,
        sides.direction as direction,
        sides.sign as sign,
        centred.place as place,
        centred.place - baselines.days as number,
        centred.is_baseline as is_baseline,
        centred.value as value,
        baselines.days as days,
        baselines.mean as mean,
        baselines.deviation * baselines.factor as scale,
{% if rule.one_day %}
        centred.expected + sides.sign * {{ rule.one_day | literal }} * baselines.deviation * baselines.day_factor * centred.width as day_limit,
{% else %}
        cast(null as {{ double }}) as day_limit,
{% endif %}
        baselines.moving_deviation * baselines.factor * centred.width as moving_scale,
        centred.expected as expected,
        baselines.deviation * centred.distance as residual
    from centred
    inner join baselines on centred.chart = baselines.chart
    cross join sides
),

{% include "monitoring/methods/" ~ rule.method ~ ".sql" %}

{% set alone %}measured.number > 0{% if errors %} and numbered.number_of_queries >= {{ rule.fewest }}{% endif %}{% endset %}
select
{% for name in keys %}
    numbered.{{ name | ident }} as {{ name | ident }},
{% endfor %}
    measured.direction as direction,
    numbered.day as day,
    measured.value as value,
{% for name in carried %}
    numbered.{{ name | ident }} as {{ name | ident }},
{% endfor %}
    measured.expected as expected,
    judged.statistic as statistic,
    judged.{{ "limit" | ident }} as {{ "limit" | ident }},
    case when {{ alone }} then measured.day_limit end as day_limit,
    coalesce(
        judged.alarm = 1
        or ({{ alone }} and measured.sign * (measured.value - measured.day_limit) > 0),
        false
    ) as alarm,
    measured.is_baseline = 1 as is_baseline,
    baselines.mean as baseline_mean,
    baselines.deviation as baseline_deviation,
    baselines.days as baseline_days,
    baselines.correlation as correlation,
    baselines.inflation as inflation,
    baselines.fewest_weekdays as fewest_weekdays,
    baselines.weekly = 1 as weekly
from measured
inner join numbered on measured.chart = numbered.chart and measured.place = numbered.place
inner join baselines on measured.chart = baselines.chart
left join judged
    on measured.chart = judged.chart and measured.direction = judged.direction and measured.number = judged.number
