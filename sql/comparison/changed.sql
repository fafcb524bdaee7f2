-- the differences of the segments in which so few queries differ that all signs can be tried
with

{% set more = false %}
{% include "comparison/observed.sql" %}
{% for total in scopes %}
{% set outer_scopes = loop %}
{% for number in pairs %}
select
    {{ number }} as pair,
    observed.scope as scope,
    scaled.difference_{{ number }} as difference,
    observed.changed_{{ number }} as rounded
from {{ scaled }} as scaled
inner join observed
    on {% if total %}observed.scope = 0{% else %}scaled.scope = observed.scope{% endif +%}
where scaled.difference_{{ number }} <> 0 and observed.units_{{ number }} <= {{ few }}
{% if not (loop.last and outer_scopes.last) %}

union all

{% endif %}
{% endfor %}
{% endfor %}
