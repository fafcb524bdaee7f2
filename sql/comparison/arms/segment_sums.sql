-- what each segment of each side weighs and adds up to
with

{% include "comparison/arms/rows.sql" %}
select
    side,
    scope,
{% for segment in segments %}
    max(segment_{{ loop.index }}) as segment_{{ loop.index }},
{% endfor %}
    count(*) as queries,
    {{ exact_sum }}(weight) as weight,
    {{ exact_sum }}(weight * value) as total,
    any_value(mean) as mean
from centred
group by side, scope
order by side asc, scope asc
