{% from "macros/quantiles.sql" import exponential, student %}
{% set degrees %}(days - 1){% endset %}
-- the sum of the distances from the near end of the interval of the mean, in standard deviations
cumulated as (
    select
        chart,
        direction,
        number,
        sum(
            case
                when number > 0
                    then
                        sign * residual / scale
                        - {{ student(rule.reference, degrees) }} / sqrt(days)
                else 0
            end
        ) over (
            partition by chart, direction order by number asc rows between unbounded preceding and current row
        ) as total
    from measured
    where number >= 0 and scale is not null
),

-- for each day the spans that end on it: how many days each has, and the sum of their distances
spans as (
    select
        later.chart as chart,
        later.direction as direction,
        later.number as number,
        later.number - earlier.number as days,
        later.total - earlier.total as total
    from cumulated as later
    inner join cumulated as earlier on later.chart = earlier.chart and later.direction = earlier.direction
    where earlier.number < later.number
),

-- what speaks for a change of {% for rate in rule.rates %}{% if loop.last and not loop.first %} and {% elif not loop.first %}, {% endif %}{{ rate | literal }}{% endfor %} standard deviations since the beginning of any of them
ratios as (
    select
        chart,
        direction,
        number,
{% for rate in rule.rates %}
{% set power %}{{ rate | literal }} * total - {{ (rate * rate / 2) | literal }} * days{% endset %}
        sum{{ exponential(power) }} as ratio_{{ loop.index }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from spans
    group by chart, direction, number
),

-- their mean over what a change may be
means as (
    select
        chart,
        direction,
        number,
        ({% for _ in rule.rates %}ratio_{{ loop.index }}{% if not loop.last %} + {% endif %}{% endfor %}) / {{ rule.rates | length }} as mean
    from ratios
),

judged as (
    select
        chart,
        direction,
        number,
        case when mean > 1e300 then 1e300 else mean end as statistic,
        cast({{ rule.limit | literal }} as {{ double }}) as {{ "limit" | ident }},
        case when mean >= {{ rule.limit | literal }} then 1 else 0 end as alarm
    from means
)
