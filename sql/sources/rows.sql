select
    summary.system,
{% if compared_with is not none %}
    {{ compared_with | literal }} as baseline,
{% endif %}
{% for segment in segments %}
    summary.{{ segment.alias | ident }},
{% endfor %}
{% if segments %}
    summary.is_total,
{% endif %}
    summary.metric,
    summary.value,
    summary.queries,
    summary.stderr,
    summary.value - critical.critical * summary.stderr as ci_low,
    summary.value + critical.critical * summary.stderr as ci_high
from {% if has_overall %}(
    from {{ summary }}
    union all by name
    from {{ overall }}
){% else %}{{ summary }}{% endif %} as summary
left join {{ critical }} as critical
    on summary.queries = critical.queries
where list_contains({{ metrics | literal }}, summary.metric){% if totals %} and summary.is_total{% endif %}

order by
    list_position({{ systems | literal }}, summary.system),
    summary.system,
{% if segments %}
    summary.is_total,
{% endif %}
{% for segment in segments %}
    summary.{{ segment.alias | ident }},
{% endfor %}
    list_position({{ metrics | literal }}, summary.metric)
