{# The value of each metric of a unit on each day, of the units that count; `place` is the day, from 0. #}
select
    of_days.unit as unit,
    of_days.arm as arm,
    of_days.day as day,
    cast(of_days.day - cast({{ first_day | literal }} as date) as double) as place,
{% for metric in metrics %}
    {%+ if metric.summed %}cast(of_days.total_{{ loop.index }} as double){% else %}of_days.total_{{ loop.index }} / nullif(of_days.count_{{ loop.index }}, 0){% endif %} as value_{{ loop.index }}{% if not loop.last %},{% endif +%}
{% endfor %}
from {{ unit_days }} as of_days
inner join {{ units }} as of_units on of_days.unit = of_units.unit and of_days.arm = of_units.arm
where of_units.arm = of_units.last_arm
    and of_days.is_before = false
    and of_days.day is not null
