{# The units with their values less what was to be expected of what they did before. #}
select
    *,
{% for slope in slopes %}
    value_{{ loop.index }} - {{ slope | literal }} * covariate_{{ loop.index }} as adjusted_{{ loop.index }}{% if not loop.last %},{% endif +%}
{% endfor %}
from {{ covariates }}
