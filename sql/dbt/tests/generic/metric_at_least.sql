{# The mean of a metric is at least a value: the rows that are below, with their system. #}
{% test metric_at_least(model, metric, at_least, qrels=none) %}
with summary as (
{{ sqlrank.summary(sqlrank.tested(model), qrels, [metric], **kwargs) }}
)

select
    system,
{% for name in sqlrank.names_by(kwargs) %}
    {{ sqlrank.ident(sqlrank.bare_name(name)) }},
{% endfor %}
{% if sqlrank.names_by(kwargs) %}
    is_total,
{% endif %}
    metric,
    value,
    {{ sqlrank.literal(at_least | float) }} as least
from summary
where value is null or value < {{ sqlrank.literal(at_least | float) }}
{% endtest %}
