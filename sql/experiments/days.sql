{# The mean of each metric on each day in each arm, over the units of the day, with its variance. #}
{% for metric in metrics %}
select
    {{ metric.text | literal }} as metric,
    arm,
    cast(day as varchar) as day,
    count(value_{{ loop.index }}) as units,
    avg(value_{{ loop.index }}) as mean,
    var_samp(value_{{ loop.index }}) / count(value_{{ loop.index }}) as variance
from {{ days_of_units }}
group by arm, day
{% if not loop.last %}

union all

{% endif %}
{% endfor %}
order by metric asc, day asc, arm asc
