{# The mean of a metric is at least a value: the rows that are below, with their system; or one row where nothing was
   evaluated, as no rows were given or none of their queries counts. #}
{% test metric_at_least(model, metric, at_least, qrels=none) %}
{% set least = sqlrank.literal(sqlrank.threshold(at_least)) %}
{% set words = sqlrank.dialect() %}
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
    {{ least }} as least
from summary
where value is null or value - value <> 0 or value < {{ least }}

union all

select
    cast(null as {{ words.text }}) as system,
{% for name in sqlrank.names_by(kwargs) %}
    cast(null as {{ words.text }}) as {{ sqlrank.ident(sqlrank.bare_name(name)) }},
{% endfor %}
{% if sqlrank.names_by(kwargs) %}
    true as is_total,
{% endif %}
    {{ sqlrank.literal(metric | string) }} as metric,
    cast(null as {{ words.double }}) as value,
    {{ least }} as least
from (select count(*) as evaluated from summary) as summarised
cross join (select count(*) as given from {{ model }}) as rows_given
where evaluated = 0 or given = 0
{% endtest %}
