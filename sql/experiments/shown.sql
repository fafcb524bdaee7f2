{# What a person looks at first, rounded. #}
select
    system,
{% if all_pairs %}
    baseline,
{% endif %}
{% for segment in segments %}
    coalesce({{ segment | ident }}, '(all)') as {{ segment | ident }},
{% endfor %}
    metric,
    baseline_units,
    units,
    round(baseline_value, 4) as baseline_value,
    round(value, 4) as value,
    round(difference, 4) as difference,
    round(ci_low, 4) as ci_low,
    round(ci_high, 4) as ci_high,
    round(p_adjusted, 4) as p_adjusted,
    verdict
from {{ relation }}
