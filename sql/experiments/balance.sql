{# What units of each arm did before the experiment: the mean of each metric with its variance. #}
{% for metric in metrics %}
select
    {{ metric.text | literal }} as metric,
    arm,
    count(known_{{ loop.index }}) as units,
    avg(known_{{ loop.index }}) as mean,
    var_samp(known_{{ loop.index }}) / count(known_{{ loop.index }}) as variance
from {{ covariates }}
group by arm
{% if not loop.last %}

union all

{% endif %}
{% endfor %}
