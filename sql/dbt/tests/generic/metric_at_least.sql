{# The mean of a metric is at least a value: the rows that are below, with their system; or one row where nothing was
   evaluated, as no rows were given or none of their queries counts. #}
{% test metric_at_least(model, metric, at_least, qrels=none, of='run') %}
{% if execute %}
{% set least, words, segments = sqlrank.finite('at_least', at_least), sqlrank.dialect(), sqlrank.segments(kwargs) %}
with summary as (
{{ sqlrank.gated(model, qrels, metric, of, kwargs) }}
)

select
    {{ sqlrank.scope(segments) }},
    metric,
    value,
    {{ least }} as least
from summary
where value is null or value - value <> 0 or value < {{ least }}

union all

select
    cast(null as {{ words.text }}) as {{ sqlrank.ident('system') }},
{% for segment in segments %}
    cast(null as {{ words.text }}) as {{ sqlrank.ident(segment.alias) }},
{% endfor %}
{% if segments %}
    true as is_total,
{% endif %}
    {{ sqlrank.literal(metric | string) }} as metric,
    cast(null as {{ words.double }}) as value,
    {{ least }} as least
from (select count(*) as evaluated from summary) as summarised
cross join (select count(*) as given from {{ model }}) as rows_given
where evaluated = 0 or given = 0
{% endif %}
{% endtest %}
