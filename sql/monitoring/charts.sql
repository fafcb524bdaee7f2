{# A row for each chart of the table that chart.sql made. #}
{% macro named(columns, of="") %}{% for name in columns %}{% if of %}{{ of | ident }}.{% endif %}{{ name | ident }}, {% endfor %}{% endmacro %}
{% from "macros/charts.sql" import in_order %}
{% from "macros/quantiles.sql" import student %}
{% set degrees %}(ordered.baseline_days - 1){% endset %}
{% set spread %}{{ student(normal, degrees) }} * ordered.baseline_deviation * sqrt(1 + 1e0 / ordered.baseline_days){% endset %}
-- each chart as of its last day
with

ordered as (
    select
        *,
        row_number() over (partition by {{ named(keys) }}direction order by day desc) as place,
        max(case when not alarm then day end) over (partition by {{ named(keys) }}direction) as last_quiet
    from {{ chart }}
),

streaks as (
    select
        {{ named(keys) }}direction,
        min(case when is_baseline then day end) as baseline_first,
        max(case when is_baseline then day end) as baseline_last,
        sum(case when is_baseline then 0 else 1 end) as watched,
        min(case when alarm and day > last_quiet then day end) as since,
        avg(case when alarm and day > last_quiet then value - expected end) as change,
        min(case when alarm then day end) as first_alarm,
        max(case when alarm then day end) as last_alarm,
        sum(case when alarm then 1 else 0 end) as alarms
    from ordered
    group by {{ named(keys) }}direction
)

select
    {{ named(keys, "ordered") }}ordered.direction,
    ordered.baseline_mean,
    ordered.baseline_deviation,
    ordered.baseline_days,
    streaks.baseline_first,
    streaks.baseline_last,
    ordered.correlation,
    ordered.inflation,
    ordered.weekly,
    ordered.fewest_weekdays,
    ordered.expected - {{ spread }} as usual_low,
    ordered.expected + {{ spread }} as usual_high,
    ordered.day,
    ordered.value,
    ordered.queries,
    ordered.statistic,
    ordered.{{ "limit" | ident }},
    ordered.day_limit,
    ordered.alarm,
    streaks.since,
    streaks.change,
    streaks.first_alarm,
    streaks.last_alarm,
    cast(streaks.alarms as bigint) as alarms,
    cast(streaks.watched as bigint) as watched
from ordered
inner join streaks
    on
{% for name in keys %}
        ordered.{{ name | ident }} is not distinct from streaks.{{ name | ident }} and
{% endfor %}
        ordered.direction = streaks.direction
where ordered.place = 1
order by {{ in_order(keys, metrics, "ordered") }}
