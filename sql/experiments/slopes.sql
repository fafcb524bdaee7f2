{# The slope of each metric on what units did before, pooled over the arms, with the numbers of units that it rests on. #}
with
moments as (
    select
        arm,
{% for metric in metrics %}
        count(value_{{ loop.index }}) as units_{{ loop.index }},
        count(known_{{ loop.index }}) filter (where value_{{ loop.index }} is not null) as known_{{ loop.index }},
        covar_pop(value_{{ loop.index }}, covariate_{{ loop.index }}) as covariance_{{ loop.index }},
        var_pop(covariate_{{ loop.index }}) filter (where value_{{ loop.index }} is not null) as variance_{{ loop.index }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from {{ covariates }}
    group by arm
)

{% for metric in metrics %}
select
    {{ metric.text | literal }} as metric,
    sum(units_{{ loop.index }} * covariance_{{ loop.index }}) / nullif(sum(units_{{ loop.index }} * variance_{{ loop.index }}), 0) as slope,
    sum(units_{{ loop.index }}) as units,
    sum(known_{{ loop.index }}) as known
from moments
{% if not loop.last %}

union all

{% endif %}
{% endfor %}
