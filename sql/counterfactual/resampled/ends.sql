{# The percentiles of each measure over the replicates. #}
select
{% for measure in measures %}
    quantile_cont(x_{{ measure.number }}, {{ tail | literal }}) as low_{{ measure.number }},
    quantile_cont(x_{{ measure.number }}, {{ (1 - tail) | literal }}) as high_{{ measure.number }}{% if not loop.last %},{% endif +%}
{% endfor %}
from {{ replicates }}
