{# The units of an experiment: the first and the last arm of each, by name, its segments, and the value of each metric. #}
select
    unit,
    min(arm) as arm,
    max(last_arm) as last_arm,
    min(day) as first_day,
{% if coarse %}
    min(coarse) as coarse,
{% endif %}
{% for segment in segments %}
    case
        when min({{ segment | ident }}) is distinct from max(last_{{ segment | ident }}) then '(several)'
        else coalesce(min({{ segment | ident }}), '(none)')
    end as {{ segment | ident }},
{% endfor %}
    sum(impressions) as impressions,
    sum(clicked) as clicked,
{% for metric in metrics %}
    {%+ if metric.summed %}cast(sum(total_{{ loop.index }}) as double){% else %}{{ exact_sum }}(total_{{ loop.index }}) / nullif(sum(count_{{ loop.index }}), 0){% endif %} as value_{{ loop.index }}{% if not loop.last %},{% endif +%}
{% endfor %}
from {{ unit_days }}
where unit is not null
    and arm is not null
    and is_before = false
group by unit
