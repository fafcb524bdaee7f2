{# What each arm has: units, impressions, those without a click, and units that do not behave like people. #}
select
    of_units.arm as arm,
    count(*) as units,
    sum(of_units.impressions) as impressions,
    avg(1 - cast(of_units.clicked as double) / of_units.impressions) as abandonment,
    {%+ if bots %}count(bots.user_id){% else %}0{% endif %} as bots
from {{ units }} as of_units
{% if bots %}
left join {{ bots }} as bots on of_units.unit = bots.user_id
{% endif %}
where of_units.arm = of_units.last_arm
group by of_units.arm
order by of_units.arm asc
