{# The mean of a metric, in a model of means, is at least a value: the rows that are below or have none; or one row of
   nulls where the model has no row of it. #}
{% test metric_at_least(model, metric=none, at_least=none, partition=none, built=none, arguments={}) %}
{% set metric = arguments.get('metric', metric) %}
{% set least = sqlrank.finite('at_least', arguments.get('at_least', at_least)) %}
with found as (
{{ sqlrank.rows_of(model, metric, arguments.get('partition', partition), arguments.get('built', built)) }}
),

demanded as (
    select {{ sqlrank.text(metric) }} as metric, {{ least }} as at_least
)

select demanded.at_least, found.*
from demanded
left join found on found.metric = demanded.metric
-- some engines give '' and 0 where a join finds no row
where found.metric is null or found.metric = '' or found.value is null or found.value - found.value <> 0
    or found.value < demanded.at_least
{% endtest %}
