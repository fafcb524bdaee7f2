{% from "macros/charts.sql" import in_order %}
select
    system,
{% for name in by %}
    {{ name | ident }},
{% endfor %}
{% if by %}
    of_segment = 0 as is_total,
{% endif %}
    metric,
    direction,
    day,
    value,
    queries,
    expected,
    statistic,
    {{ "limit" | ident }},
    day_limit,
    alarm,
    is_baseline
from {{ chart }}
order by {{ in_order(keys, metrics) }}, day
