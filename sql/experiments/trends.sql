{# By how much each metric rises a day in each arm: the slope over the days of units, with a variance that is robust to the days of
   one unit being related (clusters). #}
{% for metric in metrics %}
{% set value %}value_{{ loop.index }}{% endset %}
select
    {{ metric.text | literal }} as metric,
    arm,
    any_value(slope) as slope,
    sum(score * score) / power(any_value(spread), 2) * count(*) / nullif(count(*) - 1, 0) as variance,
    count(*) as units
from (
    select
        shown.arm as arm,
        shown.unit as unit,
        any_value(moments.slope) as slope,
        any_value(nullif(moments.spread, 0)) as spread,
        sum((shown.place - moments.middle) * (shown.{{ value }} - moments.mean - moments.slope * (shown.place - moments.middle))) as score
    from {{ days_of_units }} as shown
    inner join (
        select
            arm,
            regr_avgx({{ value }}, place) as middle,
            regr_avgy({{ value }}, place) as mean,
            regr_slope({{ value }}, place) as slope,
            regr_sxx({{ value }}, place) as spread
        from {{ days_of_units }}
        group by arm
    ) as moments on shown.arm = moments.arm
    where shown.{{ value }} is not null
    group by shown.arm, shown.unit
)
group by arm
{% if not loop.last %}

union all

{% endif %}
{% endfor %}
